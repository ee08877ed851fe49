package dev.tidemark.worker.rocks;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import com.sun.management.ThreadMXBean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.backup.BackupSource;
import dev.tidemark.change.WireRecord;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;
import dev.tidemark.rocks.RocksBatch;
import dev.tidemark.rocks.RocksDatabase;
import dev.tidemark.rocks.RocksResources;
import dev.tidemark.rocks.StoreException;
import dev.tidemark.row.RowVersion;
import dev.tidemark.testkit.FileDamage;
import dev.tidemark.worker.store.Durability;
import dev.tidemark.worker.store.EntryScan;
import dev.tidemark.worker.store.IndexMutation;
import dev.tidemark.worker.store.NewerShardException;
import dev.tidemark.worker.store.QuarantinedName;
import dev.tidemark.worker.store.QuarantinedRecord;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.RowState.Standing;
import dev.tidemark.worker.store.ShardBatch;
import dev.tidemark.worker.store.ShardDamagedException;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardStore;
import dev.tidemark.worker.store.ShardStoreContract;
import dev.tidemark.worker.store.ShardStores;
import dev.tidemark.worker.store.ShardView;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RocksShardStoresTest extends ShardStoreContract {
    private static final ShardId OTHER = new ShardId("films", 4);

    private final RocksResources resources = new RocksResources(8 << 20, 1 << 20);

    @TempDir
    Path directory = Path.of("");

    @AfterEach
    void closeResources() {
        resources.close();
    }

    @Override
    protected ShardStores stores() {
        return rocks();
    }

    @Test
    void keepsEachShardInADirectoryOfItsOwn() throws IOException {
        try (ShardStore store = open()) {
            assertThat(store.origin()).isEqualTo(ORIGIN);
            assertThat(directory.resolve("films-3")).isDirectory();
        }
        rocks().drop(ID);
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void aShardThatIsClosedMeanwhileIsLeftOutOfABackup() {
        RocksShardStores stores = rocks();
        ShardStore store = stores.open(ID, ORIGIN);
        BackupSource copy = stores.copies().values().iterator().next();
        store.close();

        copy.copyTo(directory.resolve("copy"));

        assertThat(directory.resolve("copy")).doesNotExist();
    }

    @Test
    void listsTheOpenDatabases() {
        RocksShardStores stores = rocks();
        ShardStore store = stores.open(ID, ORIGIN);
        assertThat(stores.databases()).hasSize(1);
        store.close();
        assertThat(stores.databases()).isEmpty();
    }

    @Test
    void whatAnUnusedIteratorKeepsIsGivenBackWhileChangesAreCommitted() {
        RocksShardStores stores = rocks();
        try (ShardStore store = stores.open(ID, ORIGIN)) {
            store.addGenerations(List.of(11L, 12L));
            RocksDatabase database = stores.databases().iterator().next();
            store.commit(rows(0), Durability.PROCESS);
            try (ShardView view = store.view()) {
                assertThat(entries(view, 11, KeyRange.ofPrefix(key("key")), Order.ASC))
                        .hasSize(500);
            }
            for (int i = 1; i < ShardTables.WRITES_UNUSED; i++) {
                store.commit(rows(i), Durability.PROCESS);
            }
            assertThat(kept(database)).isPositive();
            for (int i = 0; i < ShardTables.WRITES_UNUSED + 1; i++) {
                store.commit(ShardBatch.of(CHECKPOINT), Durability.PROCESS);
            }
            assertThat(kept(database)).isZero();
        }
    }

    @Test
    void aShardThatCannotBeMergedKeepsNoOtherFromIt() {
        RocksShardStores stores = rocks();
        Path first;
        try (ShardStore one = stores.open(ID, ORIGIN);
                ShardStore other = stores.open(OTHER, ORIGIN)) {
            for (ShardStore store : List.of(one, other)) {
                store.addGenerations(List.of(11L, 12L));
                store.commit(rows(0), Durability.PROCESS);
            }
            first = stores.databases().iterator().next().path();
        }
        stores.open(ID, ORIGIN).close();
        stores.open(OTHER, ORIGIN).close();
        FileDamage.FLIPPED.ofLargest(first, ".sst");

        try (ShardStore one = stores.open(ID, ORIGIN);
                ShardStore other = stores.open(OTHER, ORIGIN)) {
            for (ShardStore store : List.of(one, other)) {
                store.commit(rows(1), Durability.PROCESS);
                scanOften(store);
            }
            assertThat(stores.databases()).allMatch(database -> inMemory(database) >= 500);
            assertThatThrownBy(stores::compactOftenRead).isInstanceOf(StoreException.class);
            assertThat(stores.databases())
                    .as("the failed one, too, has begun")
                    .allMatch(database -> inMemory(database) < 500);
        }
    }

    /** Scans after all entries, so that no block of them is read. */
    private static void scanOften(ShardStore store) {
        try (ShardView view = store.view()) {
            for (int i = 0; i < 30_000; i++) {
                view.scan(11, KeyRange.ofPrefix(key("later")), Order.ASC).close();
            }
        }
    }

    private static long inMemory(RocksDatabase database) {
        return database.sumOfProperty("rocksdb.num-entries-active-mem-table");
    }

    private static ShardBatch rows(int number) {
        List<IndexMutation> some = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            some.add(put(11, "key " + i, "carried by " + number + " ".repeat(50)));
        }
        return new ShardBatch(some, Map.of(), Map.of(), CHECKPOINT);
    }

    /** Bytes in memory of what was flushed, and is still being looked at. */
    private static long kept(RocksDatabase database) {
        return database.sumOfProperty("rocksdb.size-all-mem-tables")
                - database.sumOfProperty("rocksdb.cur-size-all-mem-tables");
    }

    @Test
    void takesAnOlderFormatForDamageBecauseOnlyARebuildHelps() {
        open().close();
        writeFormat(2);
        assertThatThrownBy(this::open).isInstanceOf(ShardDamagedException.class).hasMessageContaining("but it is [2]");
        rocks().drop(ID);
        open().close();
    }

    @Test
    void refusesAndLeavesWhatANewerVersionWrote() {
        open().close();
        writeFormat(4);
        assertThatThrownBy(this::open)
                .isInstanceOf(NewerShardException.class)
                .hasMessageContaining("films-3 to have format 3 at most, but it has format 4");
        writeFormat(3);
        open().close();
    }

    private void writeFormat(int number) {
        try (RocksDatabase database = RocksDatabase.open(directory.resolve("films-3"), List.of(), resources);
                RocksBatch batch = new RocksBatch()) {
            batch.put(database.table("meta"), ShardTables.FORMAT_KEY, new byte[] {(byte) number});
            database.write(batch, false);
        }
    }

    @Test
    void namesWhatWasQuarantinedBeforeThereWereNames() {
        Map<KeyBytes, Optional<QuarantinedRecord>> records = new HashMap<>();
        for (int i = 0; i < 2_500; i++) {
            KeyBytes key = key("row " + i);
            records.put(key, Optional.of(new QuarantinedRecord(i, new WireRecord(key, key, Map.of()), "reason", NOON)));
        }
        try (ShardStore store = open()) {
            store.commit(new ShardBatch(List.of(), Map.of(), records, CHECKPOINT));
        }
        try (RocksDatabase database = RocksDatabase.open(directory.resolve("films-3"), List.of(), resources);
                RocksBatch batch = new RocksBatch()) {
            database.dropTable("quarantined");
            batch.delete(database.table("meta"), ShardTables.NAMED_KEY);
            database.write(batch, false);
        }

        for (int opening = 0; opening < 2; opening++) {
            try (ShardStore store = open();
                    ShardView view = store.view()) {
                assertThat(names(view)).hasSize(2_500).contains(new QuarantinedName(key("row 7"), 7, "reason", NOON));
            }
        }
    }

    @Test
    void takesAMutilatedDatabaseForDamage() throws IOException {
        open().close();
        Files.write(manifest(), new byte[] {1, 2, 3});
        assertThatThrownBy(this::open).isInstanceOf(ShardDamagedException.class);
    }

    @Test
    void takesADatabaseWithoutItsManifestForDamage() throws IOException {
        open().close();
        Files.delete(manifest());
        assertThatThrownBy(this::open).isInstanceOf(ShardDamagedException.class).hasMessageContaining("MANIFEST");
    }

    private Path manifest() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("films-3"))) {
            return files.filter(each -> each.getFileName().toString().startsWith("MANIFEST"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void failsToReadFromMemoryWhatIsOnDiskAlone() {
        try (ShardStore store = open()) {
            store.commit(new ShardBatch(
                    List.of(new IndexMutation.PutEntry(11, key("x"), key("carried"))),
                    Map.of(key("a"), Optional.of(RowState.without(new RowVersion(1, 1), Standing.LIVE))),
                    Map.of(),
                    CHECKPOINT));
        }
        // What was in the log comes into a file.
        open().close();
        try (ShardStore store = open()) {
            try (ShardView view = store.view().inMemory()) {
                assertThatThrownBy(() -> count(view)).isInstanceOf(StoreException.class);
                assertThatThrownBy(() -> view.versions(List.of(key("a")))).isInstanceOf(StoreException.class);
            }
            try (ShardView view = store.view()) {
                assertThat(count(view)).isEqualTo(1);
                assertThat(view.versions(List.of(key("a")))).containsExactly(Optional.of(new RowVersion(1, 1)));
            }
            try (ShardView view = store.view().inMemory()) {
                assertThat(count(view)).isEqualTo(1);
                assertThat(view.versions(List.of(key("a")))).containsExactly(Optional.of(new RowVersion(1, 1)));
            }
        }
    }

    @Test
    void theVersionOfALargeRowIsReadWithoutTheRestOfItsState() {
        List<KeyBytes> keys = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            keys.add(key(i + "x".repeat(4_096)));
        }
        RowVersion version = new RowVersion(1, 7);
        RowState large =
                new RowState(version, Standing.LIVE, Map.of(11L, new RowState.Entries(keys, 1, Optional.empty())));
        List<KeyBytes> page = Collections.nCopies(100, key("a"));
        List<Optional<RowVersion>> known = Collections.nCopies(100, Optional.of(version));
        try (ShardStore store = open()) {
            store.commit(new ShardBatch(List.of(), Map.of(key("a"), Optional.of(large)), Map.of(), CHECKPOINT));

            assertThat(allocated(store.view().inMemory(), page, known)).isLessThan(1 << 20);
        }
        try (ShardStore store = open()) {
            assertThat(allocated(store.view(), page, known)).isLessThan(1 << 20);
        }
    }

    @Test
    void aRowWithALongKeyIsStoredAndFound() {
        KeyBytes key = KeyBytes.wrap(new byte[200_000]);
        RowState poisoned = RowState.without(new RowVersion(1, 7), Standing.POISONED_PAST);
        try (ShardStore store = open()) {
            store.commit(new ShardBatch(List.of(), Map.of(key, Optional.of(poisoned)), Map.of(), CHECKPOINT));
            assertThat(store.rowStates(List.of(key))).containsExactly(Optional.of(poisoned));

            store.commit(new ShardBatch(List.of(), Map.of(key, Optional.empty()), Map.of(), CHECKPOINT));
            assertThat(store.rowStates(List.of(key))).containsExactly(Optional.empty());
        }
    }

    /** Bytes that this thread takes on the heap to look up the versions of rows. */
    private static long allocated(ShardView view, List<KeyBytes> rows, List<Optional<RowVersion>> expected) {
        ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
        try (view) {
            long before = threads.getCurrentThreadAllocatedBytes();
            List<Optional<RowVersion>> found = view.versions(rows);
            long after = threads.getCurrentThreadAllocatedBytes();
            assertThat(found).isEqualTo(expected);
            return after - before;
        }
    }

    private static int count(ShardView view) {
        int entries = 0;
        try (EntryScan scan = view.scan(11, KeyRange.ALL, Order.ASC)) {
            for (; scan.isValid(); scan.next()) {
                entries++;
            }
        }
        return entries;
    }

    private RocksShardStores rocks() {
        return new RocksShardStores(directory, resources, 1 << 20, 1 << 20);
    }
}
