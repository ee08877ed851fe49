package dev.tidemark.worker.rocks;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.tidemark.cache.RowCacheRoom;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;

import static org.assertj.core.api.Assertions.assertThat;

class RowVersionsTest {
    private static final KeyBytes ROW = KeyBytes.wrap(new byte[] {1});
    private static final RowVersion OLD = new RowVersion(1, 1);
    private static final RowVersion NEW = new RowVersion(1, 2);

    private final RowVersions versions = new RowVersions(new RowCacheRoom(RowVersions.BYTES));

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
        RowCacheRoom room = new RowCacheRoom(RowVersions.BYTES);
        RowVersions first = new RowVersions(room);
        RowVersions second = new RowVersions(room);
        first.keep(first.moment(), List.of(ROW), List.of(OLD));
        second.keep(second.moment(), List.of(ROW), List.of(OLD));
        assertThat(found(second, second.moment())).isNull();

        first.close();
        assertThat(room.take(RowVersions.BYTES)).isTrue();
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
