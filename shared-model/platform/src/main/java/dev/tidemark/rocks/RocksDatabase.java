package dev.tidemark.rocks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.ReadTier;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileReader;
import org.rocksdb.Status;
import org.rocksdb.WriteOptions;

import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;
import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.runtime.PrivateFiles;

/**
 * One open database and its tables.
 *
 * <p>Closing waits for reads under way: each read, view and scan holds a permit, {@code close} takes them all. Native
 * handles are therefore never used after they are freed, which would end the process.
 */
public final class RocksDatabase implements AutoCloseable {
    private static final Duration FIRST_REST = Duration.ofMillis(1);
    private static final Duration MOST_REST = Duration.ofSeconds(1);
    private static final String WRITES_STOPPED = "rocksdb.is-write-stopped";
    private static final Pattern NAMED_BY_CURRENT = Pattern.compile("(MANIFEST-\\d+)\n");

    private final Path path;
    private final RocksDB database;
    private final DBOptions options;
    private final ColumnFamilyOptions tableOptions;
    private final Consumer<String> damaged;
    private final Map<String, RocksTable> tables = new ConcurrentHashMap<>();
    private final WriteOptions synced = new WriteOptions().setSync(true).setNoSlowdown(true);
    private final WriteOptions unsynced = new WriteOptions().setNoSlowdown(true);
    private final ReadOptions plain = new ReadOptions();
    private final Semaphore permits = new Semaphore(Integer.MAX_VALUE);
    private volatile boolean closing;

    private RocksDatabase(
            Path path,
            RocksDB database,
            DBOptions options,
            ColumnFamilyOptions tableOptions,
            Consumer<String> damaged) {
        this.path = path;
        this.database = database;
        this.options = options;
        this.tableOptions = tableOptions;
        this.damaged = damaged;
    }

    /** Opens a database in some way. */
    private interface Opening {
        RocksDB open(DBOptions options, List<ColumnFamilyDescriptor> tables, List<ColumnFamilyHandle> handles)
                throws RocksDBException, IOException;
    }

    /**
     * Opens the database, making it and any missing table.
     *
     * @param names the tables wanted; those on disk beyond them are opened too
     * @throws StoreException when the files are damaged or another process has them
     */
    public static RocksDatabase open(Path path, List<String> names, RocksResources resources) {
        return open(path, names, resources, (options, tables, handles) -> {
            PrivateFiles.createDirectories(path);
            return RocksDB.open(options, path.toString(), tables, handles);
        });
    }

    /**
     * Opens a database that is there, to read from it. Its files stay as they are; a log of the library is added.
     *
     * @throws StoreException when the files are damaged, or there are none
     */
    public static RocksDatabase openToRead(Path path, RocksResources resources) {
        return open(
                path,
                List.of(),
                resources,
                (options, tables, handles) -> RocksDB.openReadOnly(options, path.toString(), tables, handles));
    }

    private static RocksDatabase open(Path path, List<String> names, RocksResources resources, Opening opening) {
        DBOptions options = resources.databaseOptions();
        ColumnFamilyOptions tableOptions = resources.tableOptions();
        try {
            List<String> all = new ArrayList<>(namesOnDisk(path));
            names.stream().filter(name -> !all.contains(name)).forEach(all::add);
            List<ColumnFamilyHandle> handles = new ArrayList<>();
            RocksDB database = opening.open(options, descriptors(all, tableOptions), handles);
            RocksDatabase opened = new RocksDatabase(path, database, options, tableOptions, resources.damaged());
            opened.putAll(all, handles);
            return opened;
        } catch (RocksDBException | IOException e) {
            tableOptions.close();
            options.close();
            throw new StoreException("Expected to open the store at " + path + ", but " + e.getMessage(), e);
        }
    }

    /**
     * The table of that name.
     *
     * @throws IllegalArgumentException when the database was opened without it
     */
    public RocksTable table(String name) {
        RocksTable table = tables.get(name);
        if (table == null) {
            throw new IllegalArgumentException("Expected one of the tables " + tables.keySet() + ", but got " + name);
        }
        return table;
    }

    /** The value of a key, or null where there is none. */
    public byte @Nullable [] get(RocksTable table, byte[] key) {
        return whileOpen("read ", table.name(), () -> database.get(table.handle(), key));
    }

    /** The values of keys, in their order, null where there is none. */
    public List<byte @Nullable []> multiGet(RocksTable table, List<byte[]> keys) {
        return whileOpen("read ", table.name(), () -> table.multiGet(database, plain, keys));
    }

    /**
     * Applies a batch, all of it or nothing.
     *
     * @param synced whether the call returns only once a power cut can no longer undo it
     */
    public void write(RocksBatch batch, boolean synced) {
        // RocksDB could wait by itself, but a writer that waits there keeps its place before all other writers. The
        // recovery from a full disk, which alone could end the wait, then stands behind it.
        WriteOptions options = synced ? this.synced : unsynced;
        Duration rest = FIRST_REST;
        while (!whileOpen("write", "", () -> isTaken(batch, options))) {
            try {
                BoundedWait.rest(rest);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new StoreException(
                        "Expected to write in the store at " + path
                                + ", but was interrupted while its tables were written to disk",
                        e);
            }
            // Where RocksDB only slows writes down, each refusal makes the next one wait longer.
            Duration longer = rest.compareTo(MOST_REST) < 0 ? rest.multipliedBy(2) : rest;
            rest = property(WRITES_STOPPED) > 0 ? FIRST_REST : longer;
        }
    }

    /** Gives one key a value, as {@link #write} does. */
    public void put(RocksTable table, byte[] key, byte[] value, boolean synced) {
        try (RocksBatch batch = new RocksBatch()) {
            write(batch.put(table, key, value), synced);
        }
    }

    /** A consistent view of now; close it soon, because it keeps old data alive. */
    public RocksView view() {
        enter();
        return new RocksView(database, database.getSnapshot(), this::leave);
    }

    /** Entries of a range as they are now, from the low end or the high end. */
    public RocksScan scan(RocksTable table, KeyRange range, Order order) {
        enter();
        try {
            return RocksScan.open(database, table, range, order, null, ReadTier.READ_ALL_TIER, this::leave);
        } catch (TableDroppedException e) {
            leave();
            throw e;
        }
    }

    /** An integer property summed over all tables, such as {@code rocksdb.estimate-pending-compaction-bytes}. */
    public long sumOfProperty(String property) {
        return whileOpen("read property ", property, () -> {
            long sum = 0;
            for (RocksTable table : tables.values()) {
                sum += property(table, property);
            }
            return sum;
        });
    }

    /**
     * Creates those tables that do not exist. They are on disk when this returns. Creating several at once costs hardly
     * more than one, because RocksDB writes the options of all tables again each time.
     */
    public void createTables(List<String> names) {
        whileOpen("make tables ", names, () -> {
            List<String> missing =
                    names.stream().filter(name -> !tables.containsKey(name)).toList();
            if (!missing.isEmpty()) {
                putAll(missing, database.createColumnFamilies(descriptors(missing, tableOptions)));
            }
            return true;
        });
    }

    /** The names of the tables on disk; of an empty directory only the one that every database has. */
    private static Set<String> namesOnDisk(Path path) throws RocksDBException, IOException {
        Set<String> names = new LinkedHashSet<>();
        names.add(new String(RocksDB.DEFAULT_COLUMN_FAMILY, StandardCharsets.UTF_8));
        Path current = path.resolve("CURRENT");
        if (Files.exists(current)) {
            requireManifest(current);
            try (Options options = new Options()) {
                RocksDB.listColumnFamilies(options, path.toString()).stream()
                        .map(name -> new String(name, StandardCharsets.UTF_8))
                        .forEach(names::add);
            }
        }
        return names;
    }

    /** RocksDB takes a manifest that is gone for a failure of the disk, as if another try could find it. */
    private static void requireManifest(Path current) throws RocksDBException, IOException {
        Matcher named = NAMED_BY_CURRENT.matcher(Files.readString(current, StandardCharsets.ISO_8859_1));
        if (named.matches() && Files.notExists(current.resolveSibling(named.group(1)))) {
            throw new RocksDBException(
                    "its file " + named.group(1) + " is gone",
                    new Status(Status.Code.Corruption, Status.SubCode.None, ""));
        }
    }

    private static List<ColumnFamilyDescriptor> descriptors(List<String> names, ColumnFamilyOptions options) {
        return names.stream()
                .map(name -> new ColumnFamilyDescriptor(name.getBytes(StandardCharsets.UTF_8), options))
                .toList();
    }

    private void putAll(List<String> names, List<ColumnFamilyHandle> handles) {
        for (int i = 0; i < names.size(); i++) {
            tables.put(names.get(i), new RocksTable(names.get(i), handles.get(i), damaged));
        }
    }

    /**
     * Removes a table with all it holds, by removing its files; does nothing where it is not there. On disk when this
     * returns, which may be before batches written earlier without sync are. Scans under way go on, and the files go
     * with the last of them.
     */
    public void dropTable(String name) {
        whileOpen("drop table ", name, () -> {
            RocksTable table = tables.remove(name);
            if (table != null) {
                table.cancelCompaction();
                database.dropColumnFamily(table.handle());
                table.drop();
            }
            return true;
        });
    }

    /** The names of all tables. */
    public Set<String> tableNames() {
        return Set.copyOf(tables.keySet());
    }

    /** An integer property of the database as a whole. */
    public long property(String property) {
        return whileOpen("read property ", property, () -> database.getLongProperty(property));
    }

    /**
     * Merges the tables that are read more than they are written, each once that is worth while. Returns when that is
     * done, or when the database is closed.
     */
    public void compactOftenRead() {
        for (RocksTable table : tables.values()) {
            whileOpen("merge the runs of ", table.name(), () -> table.compactIfOftenRead(database));
        }
    }

    /** Bytes of write-ahead log on disk. */
    public long walBytes() {
        return whileOpen(
                "list write-ahead logs",
                "",
                () -> database.getSortedWalFiles().stream()
                        .mapToLong(file -> file.sizeFileBytes())
                        .sum());
    }

    /** The files of all tables, with their bytes. */
    public Map<Path, Long> files() {
        return whileOpen("list files", "", () -> {
            Map<Path, Long> files = new TreeMap<>();
            database.getLiveFilesMetaData()
                    .forEach(file -> files.put(Path.of(file.path(), file.fileName()), file.size()));
            return files;
        });
    }

    /**
     * Makes a copy of the database as of now that can be opened like one, from links to its files where the file system
     * has them. Goes on while others read and write.
     *
     * @param to the directory of the copy, which must be absent
     */
    public void copyTo(Path to) {
        whileOpen("make a copy at ", to, () -> {
            try (Checkpoint checkpoint = Checkpoint.create(database)) {
                checkpoint.createCheckpoint(to.toString());
            }
            return true;
        });
    }

    /**
     * Reads a file of a table and compares it with its checksums.
     *
     * @return what is wrong; empty where nothing is, or the file has been replaced since it was listed
     * @throws StoreException when the file cannot be read now, which another try may change
     */
    public Optional<String> damageOf(Path file) {
        enter();
        try (Options usual = new Options();
                SstFileReader reader = new SstFileReader(usual)) {
            reader.open(file.toString());
            reader.verifyChecksum();
            return Optional.empty();
        } catch (RocksDBException e) {
            if (!files().containsKey(file)) {
                return Optional.empty();
            }
            StoreException failure = failed("read " + file, e);
            if (failure.isDamage() || !Files.exists(file)) {
                return Optional.of(file + ": " + e.getMessage());
            }
            throw failure;
        } finally {
            leave();
        }
    }

    public Path path() {
        return path;
    }

    /** Waits for reads under way, then closes. Later calls do nothing. */
    @Override
    public void close() {
        if (closing) {
            return;
        }
        closing = true;
        tables.values().forEach(RocksTable::cancelCompaction);
        permits.acquireUninterruptibly(Integer.MAX_VALUE);
        tables.values().forEach(RocksTable::close);
        database.close();
        plain.close();
        synced.close();
        unsynced.close();
        tableOptions.close();
        options.close();
    }

    private long property(RocksTable table, String property) throws RocksDBException {
        if (!table.tryEnter()) {
            return 0;
        }
        try {
            return database.getLongProperty(table.handle(), property);
        } finally {
            table.leave();
        }
    }

    /** Something to do with the native database. */
    private interface NativeCall<T extends @Nullable Object> {
        T make() throws RocksDBException;
    }

    private <T extends @Nullable Object> T whileOpen(String action, Object what, NativeCall<T> call) {
        enter();
        try {
            return call.make();
        } catch (RocksDBException e) {
            throw failed(action + what, e).reportedTo(damaged);
        } finally {
            leave();
        }
    }

    /** Whether RocksDB took a batch, which it refuses while writes stall. */
    private boolean isTaken(RocksBatch batch, WriteOptions options) throws RocksDBException {
        try {
            database.write(options, batch.batch());
            return true;
        } catch (RocksDBException e) {
            if (e.getStatus() != null && e.getStatus().getCode() == Status.Code.Incomplete) {
                return false;
            }
            throw e;
        }
    }

    private void enter() {
        if (closing || !permits.tryAcquire()) {
            throw new StoreClosedException(path.toString());
        }
    }

    private void leave() {
        permits.release();
    }

    private StoreException failed(String action, RocksDBException e) {
        return new StoreException("Expected to " + action + " in the store at " + path + ", but " + e.getMessage(), e);
    }
}
