package dev.tidemark.rocks;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@Tag("slow")
class RecycledLogsTest {
    private static final int MEMTABLE_BYTES = 64 << 10;
    private static final int VALUE_BYTES = 4 << 10;
    private static final int ROWS = 1_500;

    /** By then the first logs are no longer needed. */
    private static final int USUAL_FROM = 500;

    private final RocksResources resources = new RocksResources(8 << 20, MEMTABLE_BYTES, 2, what -> {});

    @TempDir
    private Path directory = Path.of("");

    @AfterEach
    void closeResources() {
        resources.close();
    }

    @Test
    void aLogIsAsLongFromItsFirstRecordOnAsTheOneThatItIsWrittenOver() {
        try (RocksDatabase database = open("used")) {
            write(database, 0, USUAL_FROM);
            long least = Long.MAX_VALUE;
            for (int row = USUAL_FROM; row < ROWS; row++) {
                write(database, row, row + 1);
                awaitFlushes(database);
                least = Math.min(least, bytesOfNewestLog());
            }
            assertThat(least).isGreaterThan(MEMTABLE_BYTES / 2);
        }
    }

    @Test
    void whatIsInAnOldLogBehindTheNewestRecordDoesNotComeBack() {
        for (int from = 0; from < ROWS; from += 100) {
            try (RocksDatabase database = open("used")) {
                requireRows(database, from);
                write(database, from, from + 100);
            }
        }
    }

    @Test
    void aCopyMadeWhileInUseHoldsWhatWasWrittenUntilThen() {
        try (RocksDatabase database = open("used")) {
            write(database, 0, USUAL_FROM);
            database.copyTo(directory.resolve("copy"));
            write(database, USUAL_FROM, ROWS);
        }
        try (RocksDatabase copy = open("copy")) {
            requireRows(copy, USUAL_FROM);
        }
        try (RocksDatabase database = open("used")) {
            requireRows(database, ROWS);
        }
    }

    private RocksDatabase open(String name) {
        return RocksDatabase.open(directory.resolve(name), List.of("rows"), resources);
    }

    /** While a log is still needed for what is not flushed yet, another is begun instead of written over. */
    private static void awaitFlushes(RocksDatabase database) {
        await().pollInterval(Duration.ofMillis(1))
                .until(() -> database.sumOfProperty("rocksdb.mem-table-flush-pending") == 0
                        && database.sumOfProperty("rocksdb.num-immutable-mem-table") == 0
                        && database.property("rocksdb.num-running-flushes") == 0);
    }

    private long bytesOfNewestLog() {
        try (Stream<Path> files = Files.list(directory.resolve("used"))) {
            return files.map(Path::toFile)
                    .filter(file -> file.getName().endsWith(".log"))
                    .max(Comparator.comparing(File::getName))
                    .orElseThrow()
                    .length();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(RocksDatabase database, int from, int to) {
        for (int row = from; row < to; row++) {
            try (RocksBatch batch = new RocksBatch()) {
                batch.put(database.table("rows"), key(row), value(row));
                batch.put(database.table("rows"), key(-1), key(row));
                database.write(batch, true);
            }
        }
    }

    private static void requireRows(RocksDatabase database, int count) {
        assertThat(database.get(database.table("rows"), key(-1))).isEqualTo(count == 0 ? null : key(count - 1));
        for (int row = 0; row < count; row++) {
            assertThat(database.get(database.table("rows"), key(row)))
                    .as("row %d of %d", row, count)
                    .isEqualTo(value(row));
        }
        assertThat(database.get(database.table("rows"), key(count)))
                .as("row %d", count)
                .isNull();
    }

    private static byte[] key(int row) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(row).array();
    }

    private static byte[] value(int row) {
        byte[] value = new byte[VALUE_BYTES];
        Arrays.fill(value, (byte) row);
        return value;
    }
}
