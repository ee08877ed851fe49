package dev.tidemark.rocks;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ReadTier;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;
import dev.tidemark.testkit.FileDamage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A damaged block is a failure, and never the absence of what was in it. */
class DamagedBlockTest {
    private static final List<byte[]> KEYS =
            IntStream.range(0, 400).mapToObj(DamagedBlockTest::key).toList();

    private final List<String> reported = new ArrayList<>();
    private final RocksResources resources = new RocksResources(8 << 20, 1 << 20, 0, reported::add);

    @TempDir
    private Path directory = Path.of("");

    @AfterEach
    void close() {
        resources.close();
    }

    @Test
    void manyValuesAtOnceFailWhereOneOfThemCannotBeRead() {
        try (RocksDatabase database = open();
                RocksBatch batch = new RocksBatch()) {
            KEYS.forEach(key -> batch.put(database.table("rows"), key, key));
            database.write(batch, true);
        }
        // What was in the log comes into a file.
        open().close();
        FileDamage.FLIPPED.ofLargest(directory, ".sst");

        try (RocksDatabase database = open();
                RocksView view = database.view()) {
            RocksTable rows = database.table("rows");
            assertThatThrownBy(() -> database.multiGet(rows, KEYS)).isInstanceOf(StoreException.class);
            assertThat(reported).hasSize(1);
            assertThat(database.multiGet(rows, List.of(new byte[] {1}))).containsExactly((byte[]) null);
            assertThatThrownBy(() -> KEYS.forEach(key -> view.beginning(rows, key, 2, false)))
                    .isInstanceOf(StoreException.class);
            assertThat(view.beginning(rows, new byte[] {1}, 2, false)).isNull();
            assertThat(reported).hasSize(2);
        }
    }

    @Test
    void aScanThatMeetsDamageFailsAndItsIteratorServesNoOther() {
        try (RocksDatabase database = open();
                RocksBatch batch = new RocksBatch()) {
            KEYS.forEach(key -> batch.put(database.table("rows"), key, key));
            database.write(batch, true);
        }
        open().close();
        FileDamage.FLIPPED.ofLargest(directory, ".sst");

        try (RocksDatabase database = open();
                RocksView view = database.view()) {
            RocksTable rows = database.table("rows");
            KeyRange range = new KeyRange(KeyBytes.EMPTY, KeyBytes.wrap(new byte[] {-1, -1}));
            for (int time = 0; time < 3; time++) {
                assertThatThrownBy(() -> walk(view, rows, range)).isInstanceOf(StoreException.class);
                assertThat(rows.cursors(ReadTier.READ_ALL_TIER).waiting()).isZero();
            }
            assertThat(reported).hasSize(3);
        }
    }

    private static void walk(RocksView view, RocksTable rows, KeyRange range) {
        try (RocksScan scan = view.shortScan(rows, range, Order.ASC, false)) {
            while (scan.isValid()) {
                scan.next();
            }
        }
    }

    private RocksDatabase open() {
        return RocksDatabase.open(directory, List.of("rows"), resources);
    }

    /** Long, and of no use to compression, so that keys take most of a file. */
    private static byte[] key(int number) {
        byte[] key = new byte[64];
        new Random(number).nextBytes(key);
        return key;
    }
}
