package dev.tidemark.worker.rocks;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.tidemark.cache.RowCacheMemory;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyWriter;
import dev.tidemark.key.Order;
import dev.tidemark.row.FieldValue;
import dev.tidemark.row.RowVersion;

import static org.assertj.core.api.Assertions.assertThat;

class RowVersionsTest {
    private static final KeyBytes ROW = KeyBytes.wrap(new byte[] {1});
    private static final RowVersion OLD = new RowVersion(1, 1);
    private static final RowVersion NEW = new RowVersion(1, 2);

    private final RowVersions versions = new RowVersions(new RowCacheMemory(32L << 20));

    @Test
    void knowsWhatWasReadUntilTheRowChanges() {
        versions.keep(versions.moment(), List.of(ROW), List.of(OLD));
        assertThat(found(versions.moment())).isEqualTo(OLD);

        commit(new byte[] {2});
        assertThat(found(versions.moment())).isEqualTo(OLD);

        commit(ROW.array());
        assertThat(found(versions.moment())).isNull();
    }

    @Test
    void knowsNearlyAllOfSomeThousandRowsWhoseKeysAreNumbers() {
        List<KeyBytes> rows = IntStream.range(0, 200_000)
                .filter(id -> id % 67 == 0)
                .mapToObj(id -> new KeyWriter()
                        .append(new FieldValue.Num(BigDecimal.valueOf(id)), Order.ASC)
                        .toKey())
                .toList();
        versions.keep(versions.moment(), rows, Collections.nCopies(rows.size(), OLD));

        @Nullable RowVersion[] found = new RowVersion[rows.size()];
        versions.find(versions.moment(), rows, found);

        assertThat(found).filteredOn(OLD::equals).hasSizeGreaterThan(rows.size() * 99 / 100);
    }

    @Test
    void aRowThatIsAskedForAgainTakesNoPlaceOfAnother() {
        RowVersions.Moment moment = versions.moment();
        List<KeyBytes> rows = IntStream.range(0, 50)
                .mapToObj(id -> KeyBytes.wrap(new byte[] {(byte) id}))
                .toList();
        versions.keep(moment, rows, Collections.nCopies(rows.size(), OLD));
        for (int times = 0; times < 3; times++) {
            versions.keep(moment, List.of(rows.get(0)), List.of(OLD));
        }
        commit(rows.get(0).array());

        @Nullable RowVersion[] found = new RowVersion[rows.size()];
        versions.find(versions.moment(), rows, found);

        assertThat(found[0]).isNull();
        assertThat(found).filteredOn(OLD::equals).hasSize(rows.size() - 1);
    }

    @Test
    void doesNotTellAnOlderViewWhatANewerOneRead() {
        RowVersions.Moment before = versions.moment();
        commit(ROW.array());
        versions.keep(versions.moment(), List.of(ROW), List.of(NEW));

        assertThat(found(before)).isNull();
        assertThat(found(versions.moment())).isEqualTo(NEW);
    }

    @Test
    void keepsNothingThatWasReadBeforeACommit() {
        RowVersions.Moment before = versions.moment();
        versions.begin(List.of());
        versions.keep(before, List.of(ROW), List.of(OLD));
        versions.end();

        assertThat(found(versions.moment())).isNull();
    }

    @Test
    void trustsNoViewThatWasOpenedDuringACommit() {
        versions.keep(versions.moment(), List.of(ROW), List.of(OLD));
        versions.begin(List.of(new byte[] {2}));
        RowVersions.Moment during = versions.moment();
        assertThat(found(during)).isNull();
        versions.end();
        versions.keep(during, List.of(ROW), List.of(NEW));

        assertThat(found(versions.moment())).isEqualTo(OLD);
    }

    @Test
    void keepsNothingWithoutRoomAndGivesItsOwnBack() {
        long bytes = RowVersions.STEP;
        RowCacheMemory room = new RowCacheMemory(bytes);
        RowVersions first = new RowVersions(room);
        RowVersions second = new RowVersions(room);
        first.keep(first.moment(), List.of(ROW), List.of(OLD));
        second.keep(second.moment(), List.of(ROW), List.of(OLD));
        assertThat(found(second, second.moment())).isNull();

        first.close();
        assertThat(room.take(bytes)).isTrue();
    }

    @Test
    void longKeysTakeNoMoreThanThereIsRoomFor() {
        long bytes = 4L << 20;
        RowCacheMemory room = new RowCacheMemory(bytes);
        RowVersions bounded = new RowVersions(room);
        List<KeyBytes> rows = longKeys(1 << 15);

        for (KeyBytes row : rows) {
            bounded.keep(bounded.moment(), List.of(row), List.of(OLD));
        }

        long known = known(bounded, rows);
        assertThat(known).isGreaterThan(3_000);
        assertThat(known * (1_024 + RowVersions.ROW_BYTES)).isLessThanOrEqualTo(bytes);
        bounded.close();
        assertThat(room.take(bytes)).isTrue();
    }

    @Test
    void whatIsForgottenLeavesItsRoomToOthers() {
        RowVersions bounded = new RowVersions(new RowCacheMemory(RowVersions.STEP));
        List<KeyBytes> rows = longKeys(55);
        List<KeyBytes> others = longKeys(110).subList(55, 110);
        bounded.keep(bounded.moment(), rows, Collections.nCopies(rows.size(), OLD));
        assertThat(known(bounded, rows)).isEqualTo(55);

        bounded.begin(rows.stream().map(KeyBytes::array).toList());
        bounded.end();
        bounded.keep(bounded.moment(), others, Collections.nCopies(others.size(), OLD));

        assertThat(known(bounded, others)).isEqualTo(55);
    }

    @Test
    void theRowThatWasReadLongestAgoMakesRoomForAnother() {
        RowVersions bounded = new RowVersions(new RowCacheMemory(RowVersions.STEP));
        List<KeyBytes> rows = longKeys(56);
        bounded.keep(bounded.moment(), rows.subList(0, 55), Collections.nCopies(55, OLD));
        bounded.keep(bounded.moment(), List.of(rows.get(0), rows.get(55)), Collections.nCopies(2, OLD));

        assertThat(known(bounded, rows)).isEqualTo(55);
        assertThat(known(bounded, List.of(rows.get(0), rows.get(55)))).isEqualTo(2);
        assertThat(known(bounded, List.of(rows.get(1)))).isZero();
    }

    private static List<KeyBytes> longKeys(int count) {
        Random random = new Random(1);
        return IntStream.range(0, count)
                .mapToObj(id -> {
                    byte[] key = new byte[1_024];
                    random.nextBytes(key);
                    return KeyBytes.wrap(key);
                })
                .toList();
    }

    private static long known(RowVersions in, List<KeyBytes> rows) {
        @Nullable RowVersion[] found = new RowVersion[rows.size()];
        in.find(in.moment(), rows, found);
        return Arrays.stream(found).filter(OLD::equals).count();
    }

    private void commit(byte[] row) {
        versions.begin(List.of(row));
        versions.end();
    }

    private @Nullable RowVersion found(RowVersions.Moment moment) {
        return found(versions, moment);
    }

    private static @Nullable RowVersion found(RowVersions in, RowVersions.Moment moment) {
        @Nullable RowVersion[] found = new RowVersion[1];
        in.find(moment, List.of(ROW), found);
        return found[0];
    }
}
