package dev.tidemark.rocks;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;

import static org.assertj.core.api.Assertions.assertThat;

class ReadTriggeredCompactionTest {
    private static final String IN_MEMORY = "rocksdb.num-entries-active-mem-table";
    private static final int ENTRIES = 1_000;

    /** As many as the bytes of the entries ask for, but not the files of a merge. */
    private static final int SOME_SCANS = 4_000;

    /** More than both ask for. */
    private static final int MANY_SCANS = 40_000;

    private final RocksResources resources = new RocksResources(8 << 20, 1 << 20);

    private final Random random = new Random(1);

    @TempDir
    Path directory = Path.of("");

    private RocksDatabase database;

    @BeforeEach
    void open() {
        database = RocksDatabase.open(directory, List.of("rows"), resources);
        put(ENTRIES);
    }

    @AfterEach
    void close() {
        database.close();
        resources.close();
    }

    @Test
    void aTableThatIsReadOftenBecomesOneRun() {
        scan(MANY_SCANS);
        database.compactOftenRead();
        put(ENTRIES);
        scan(MANY_SCANS);
        database.compactOftenRead();
        assertThat(inMemory()).isZero();
        assertThat(database.files()).hasSize(1);
        try (RocksScan scan = database.scan(database.table("rows"), all(), Order.ASC)) {
            int found = 0;
            for (; scan.isValid(); scan.next()) {
                found++;
            }
            assertThat(found).isEqualTo(ENTRIES);
        }
    }

    @Test
    void aTableThatIsReadNowAndThenStaysAsItIs() {
        scan(SOME_SCANS);
        database.compactOftenRead();
        assertThat(inMemory()).isEqualTo(ENTRIES);
    }

    @Test
    void scansBeforeAMergeDoNotCountForTheNext() {
        scan(MANY_SCANS);
        database.compactOftenRead();
        put(ENTRIES);
        scan(SOME_SCANS);
        database.compactOftenRead();
        assertThat(inMemory()).isEqualTo(ENTRIES);
    }

    @Test
    void aFewNewEntriesAreNotWorthAMerge() {
        scan(MANY_SCANS);
        database.compactOftenRead();
        put(3);
        scan(MANY_SCANS);
        database.compactOftenRead();
        assertThat(inMemory()).isEqualTo(3);
    }

    @Test
    void aTableWhoseDatabaseClosesIsNotMerged() {
        scan(MANY_SCANS);
        database.table("rows").cancelCompaction();
        database.compactOftenRead();
        assertThat(inMemory()).isEqualTo(ENTRIES);
    }

    private long inMemory() {
        return database.sumOfProperty(IN_MEMORY);
    }

    private void put(int entries) {
        for (int i = 0; i < entries; i++) {
            byte[] value = new byte[100];
            random.nextBytes(value);
            database.put(database.table("rows"), bytes("entry %06d".formatted(i)), value, false);
        }
    }

    private void scan(int times) {
        try (RocksView view = database.view()) {
            for (int i = 0; i < times; i++) {
                view.shortScan(database.table("rows"), all(), Order.ASC, false).close();
            }
        }
    }

    private static KeyRange all() {
        return new KeyRange(KeyBytes.wrap(bytes("e")), KeyBytes.wrap(bytes("f")));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
