package dev.tidemark.rocks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RocksDatabaseTest {
    private final RocksResources resources = new RocksResources(8 << 20, 1 << 20);

    @TempDir
    Path directory = Path.of("");

    @AfterEach
    void closeResources() {
        resources.close();
    }

    @Test
    void refusesToAddToABatchForAClosedDatabase() {
        RocksDatabase database = open();
        RocksTable table = database.table("default");
        database.close();
        try (RocksBatch batch = new RocksBatch()) {
            assertThatThrownBy(() -> batch.put(table, new byte[] {1}, new byte[] {1}))
                    .isInstanceOf(StoreClosedException.class);
        }
    }

    @Test
    void keepsABatchAcrossReopening() {
        try (RocksDatabase database = open()) {
            put(database, "a", "1");
        }
        try (RocksDatabase database = open()) {
            assertThat(get(database, "a")).isEqualTo("1");
        }
    }

    @Test
    void aCopyMadeWhileInUseHoldsWhatWasWrittenUntilThenSyncedOrNot() {
        Path copy = directory.resolve("copy");
        try (RocksDatabase database = RocksDatabase.open(directory.resolve("used"), List.of("rows"), resources)) {
            put(database, "a", "1");
            database.copyTo(copy);
            put(database, "a", "2");
            put(database, "b", "2");
        }
        try (RocksDatabase database = RocksDatabase.open(copy, List.of("rows"), resources)) {
            assertThat(get(database, "a")).isEqualTo("1");
            assertThat(database.get(database.table("rows"), bytes("b"))).isNull();
        }
    }

    @Test
    void readsACopyWithoutAChangeToItsFiles() throws IOException {
        Path copy = directory.resolve("copy");
        try (RocksDatabase database = RocksDatabase.open(directory.resolve("used"), List.of("rows"), resources)) {
            put(database, "a", "1");
            database.copyTo(copy);
        }
        List<Path> files = files(copy);
        try (RocksDatabase database = RocksDatabase.openToRead(copy, resources)) {
            assertThat(get(database, "a")).isEqualTo("1");
            assertThatThrownBy(() -> put(database, "a", "2")).isInstanceOf(StoreException.class);
        }
        assertThat(files(copy)).containsAll(files).hasSizeLessThanOrEqualTo(files.size() + 1);
        Path nothing = directory.resolve("nothing");
        assertThatThrownBy(() -> RocksDatabase.openToRead(nothing, resources)).isInstanceOf(StoreException.class);
    }

    private static List<Path> files(Path in) throws IOException {
        try (Stream<Path> files = Files.list(in)) {
            return files.toList();
        }
    }

    @Test
    void opensWhatWasWrittenWithUsualOptions() throws RocksDBException {
        byte[] rows = "rows".getBytes(StandardCharsets.UTF_8);
        List<ColumnFamilyHandle> handles = new ArrayList<>();
        List<ColumnFamilyDescriptor> tables =
                List.of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY), new ColumnFamilyDescriptor(rows));
        try (DBOptions options = new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true);
                RocksDB database = RocksDB.open(options, directory.toString(), tables, handles)) {
            database.put(handles.get(1), bytes("a"), bytes("1"));
            handles.forEach(ColumnFamilyHandle::close);
        }
        try (RocksDatabase database = open()) {
            assertThat(get(database, "a")).isEqualTo("1");
        }
    }

    @Test
    void opensTablesThatNobodyAskedForThisTime() {
        try (RocksDatabase database = RocksDatabase.open(directory, List.of("old"), resources)) {
            assertThat(database.table("old").name()).isEqualTo("old");
        }
        try (RocksDatabase database = open()) {
            assertThat(database.table("rows").name()).isEqualTo("rows");
            assertThat(database.table("old").name()).isEqualTo("old");
        }
    }

    @Test
    void scansARangeFromEitherEnd() {
        try (RocksDatabase database = open()) {
            for (String key : List.of("a", "b", "c", "d")) {
                put(database, key, key);
            }
            KeyRange range = new KeyRange(key("b"), key("d"));

            assertThat(keys(database.scan(database.table("rows"), range, Order.ASC)))
                    .containsExactly("b", "c");
            assertThat(keys(database.scan(database.table("rows"), range, Order.DESC)))
                    .containsExactly("c", "b");
            assertThat(keys(database.scan(database.table("rows"), KeyRange.ALL, Order.DESC)))
                    .containsExactly("d", "c", "b", "a");
        }
    }

    @Test
    void showsOneMomentThroughAView() {
        try (RocksDatabase database = open()) {
            put(database, "a", "1");
            try (RocksView view = database.view()) {
                put(database, "a", "2");
                put(database, "b", "2");

                assertThat(text(view.get(database.table("rows"), bytes("a")))).isEqualTo("1");
                assertThat(keys(view.scan(database.table("rows"), KeyRange.ALL, Order.ASC)))
                        .containsExactly("a");
            }
        }
    }

    @Test
    void removesARangeInOneStep() {
        try (RocksDatabase database = open()) {
            for (String key : List.of("a", "b", "c")) {
                put(database, key, key);
            }
            try (RocksBatch batch = new RocksBatch()) {
                database.write(batch.deleteRange(database.table("rows"), new KeyRange(key("a"), key("c"))), false);
            }

            assertThat(keys(database.scan(database.table("rows"), KeyRange.ALL, Order.ASC)))
                    .containsExactly("c");
        }
    }

    @Test
    void refusesUseAfterClosingInsteadOfEndingTheProcess() {
        RocksDatabase database = open();
        RocksTable table = database.table("rows");
        database.close();

        assertThatThrownBy(() -> database.get(table, bytes("a"))).isInstanceOf(StoreClosedException.class);
        assertThatThrownBy(database::view).isInstanceOf(StoreClosedException.class);
    }

    @Test
    void waitsForAViewBeforeItCloses() throws Exception {
        RocksDatabase database = open();
        put(database, "a", "1");
        RocksView view = database.view();
        CompletableFuture<Void> closing = CompletableFuture.runAsync(database::close);

        assertThat(text(view.get(database.table("rows"), bytes("a")))).isEqualTo("1");
        assertThat(closing).isNotDone();
        view.close();

        closing.get(10, TimeUnit.SECONDS);
    }

    @Test
    void refusesFilesThatAnotherDatabaseHasOpen() {
        RocksDatabase first = open();
        try (first) {
            assertThatThrownBy(this::open)
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining(directory.toString());
        }
    }

    @Test
    void readsItsOwnCondition() {
        try (RocksDatabase database = open()) {
            put(database, "a", "1");

            assertThat(RocksGauges.of(() -> List.of(database)))
                    .allSatisfy(
                            reading -> assertThat(reading.value().getAsDouble()).isNotNegative())
                    .anySatisfy(reading -> {
                        assertThat(reading.name()).isEqualTo("rocksdb.wal.bytes");
                        assertThat(reading.value().getAsDouble()).isPositive();
                    });
        }
    }

    @Test
    void makesAndDropsTablesWhileItIsOpen() {
        try (RocksDatabase database = open()) {
            database.createTables(List.of("made", "made too"));
            RocksTable made = database.table("made");
            database.createTables(List.of("made too", "made", "made later"));
            assertThat(database.table("made")).isSameAs(made);
            try (RocksBatch batch = new RocksBatch()) {
                database.write(batch.put(made, bytes("a"), bytes("1")), false);
            }
        }
        try (RocksDatabase database = open()) {
            RocksTable table = database.table("made");
            assertThat(text(database.get(table, bytes("a")))).isEqualTo("1");

            database.dropTable("made");
            database.dropTable("made");

            assertThat(database.tableNames()).containsExactlyInAnyOrder("default", "rows", "made too", "made later");
            assertThatThrownBy(() -> database.scan(table, KeyRange.ALL, Order.ASC))
                    .isInstanceOf(TableDroppedException.class);
        }
        try (RocksDatabase database = open()) {
            assertThat(database.tableNames()).doesNotContain("made");
        }
    }

    @Test
    void aScanOutlivesTheDropOfItsTable() {
        try (RocksDatabase database = open()) {
            put(database, "a", "1");
            RocksScan scan = database.scan(database.table("rows"), KeyRange.ALL, Order.ASC);
            database.dropTable("rows");

            assertThat(keys(scan)).containsExactly("a");
        }
    }

    @Test
    void tablesComeAndGoUnderScansOfOtherThreads() throws Exception {
        try (RocksDatabase database = open()) {
            AtomicReference<RocksTable> table = new AtomicReference<>(filled(database, 0));
            AtomicBoolean over = new AtomicBoolean();
            List<CompletableFuture<Integer>> readers = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                readers.add(CompletableFuture.supplyAsync(() -> scans(database, table, over)));
            }
            for (int round = 1; round <= 50; round++) {
                RocksTable old = table.getAndSet(filled(database, round));
                database.dropTable(old.name());
                database.sumOfProperty("rocksdb.cur-size-all-mem-tables");
            }
            over.set(true);

            for (CompletableFuture<Integer> reader : readers) {
                assertThat(reader.get(10, TimeUnit.SECONDS)).isPositive();
            }
            assertThat(database.tableNames()).hasSize(3);
        }
    }

    /** Scans whatever table is current until it is over; each scan sees all of a table or is told that it is gone. */
    private static int scans(RocksDatabase database, AtomicReference<RocksTable> table, AtomicBoolean over) {
        int scans = 0;
        do {
            try {
                assertThat(keys(database.scan(Objects.requireNonNull(table.get()), KeyRange.ALL, Order.ASC)))
                        .containsExactly("a", "b");
                scans++;
            } catch (TableDroppedException e) {
                // The next one is there already.
            }
        } while (!over.get() || scans == 0);
        return scans;
    }

    private static RocksTable filled(RocksDatabase database, int number) {
        database.createTables(List.of("index-" + number));
        RocksTable table = database.table("index-" + number);
        try (RocksBatch batch = new RocksBatch()) {
            database.write(batch.put(table, bytes("a"), bytes("1")).put(table, bytes("b"), bytes("2")), false);
        }
        return table;
    }

    private RocksDatabase open() {
        return RocksDatabase.open(directory, List.of("rows"), resources);
    }

    private static void put(RocksDatabase database, String key, String value) {
        try (RocksBatch batch = new RocksBatch()) {
            database.write(batch.put(database.table("rows"), bytes(key), bytes(value)), true);
        }
    }

    private static String get(RocksDatabase database, String key) {
        return text(database.get(database.table("rows"), bytes(key)));
    }

    private static List<String> keys(RocksScan scan) {
        List<String> keys = new ArrayList<>();
        try (scan) {
            for (; scan.isValid(); scan.next()) {
                keys.add(text(scan.key()));
            }
        }
        return keys;
    }

    private static KeyBytes key(String text) {
        return KeyBytes.wrap(bytes(text));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte @Nullable [] bytes) {
        return bytes == null ? "nothing" : new String(bytes, StandardCharsets.UTF_8);
    }
}
