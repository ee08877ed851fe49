package dev.tidemark.worker.rocks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;

import dev.tidemark.backup.BackupSource;
import dev.tidemark.cache.RowCache;
import dev.tidemark.cache.RowCacheMemory;
import dev.tidemark.checksum.ChecksumScanTarget;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;
import dev.tidemark.rocks.RocksBatch;
import dev.tidemark.rocks.RocksChecksumScan;
import dev.tidemark.rocks.RocksDatabase;
import dev.tidemark.rocks.RocksResources;
import dev.tidemark.rocks.RocksScan;
import dev.tidemark.rocks.RocksTable;
import dev.tidemark.rocks.RocksView;
import dev.tidemark.rocks.StoreClosedException;
import dev.tidemark.worker.failpoint.WorkerFailpoint;
import dev.tidemark.worker.store.Leftovers;
import dev.tidemark.worker.store.NewerShardException;
import dev.tidemark.worker.store.QuarantinedName;
import dev.tidemark.worker.store.QuarantinedRecord;
import dev.tidemark.worker.store.ShardClosedException;
import dev.tidemark.worker.store.ShardContents;
import dev.tidemark.worker.store.ShardDamagedException;
import dev.tidemark.worker.store.ShardFiles;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardOrigin;
import dev.tidemark.worker.store.ShardStore;
import dev.tidemark.worker.store.ShardStores;

/**
 * Shards in directories {@code <root>/<table>-<partition>}. Any thread may open and drop shards, one per shard at a
 * time.
 */
public final class RocksShardStores implements ShardStores, ShardFiles {
    /** Heap that all shards should have for versions that readers asked for. */
    public static final long VERSIONS_BYTES = 32L << 20;

    private static final int NAMED_AT_ONCE = 1_000;

    private final Path root;
    private final ShardDirectories directories;
    private final RocksResources resources;
    private final RowCacheMemory room;
    private final RowCacheMemory versionsRoom;
    private final Queue<ShardWrites> idle = new ConcurrentLinkedQueue<>();
    private final Map<ShardId, RocksDatabase> open = new ConcurrentHashMap<>();

    /**
     * Shards below a directory.
     *
     * @param rowCacheBytes how much heap all of them together may take for the row states that they wrote last; 0 for
     *     none
     * @param versionsBytes how much for versions that readers asked for; 0 for none
     */
    public RocksShardStores(Path root, RocksResources resources, long rowCacheBytes, long versionsBytes) {
        this(root, resources, new RowCacheMemory(rowCacheBytes), new RowCacheMemory(versionsBytes));
    }

    RocksShardStores(Path root, RocksResources resources, RowCacheMemory room, RowCacheMemory versionsRoom) {
        this.root = root;
        this.directories = new ShardDirectories(root);
        this.resources = resources;
        this.room = room;
        this.versionsRoom = versionsRoom;
    }

    @Override
    public ShardStore open(ShardId id, ShardOrigin origin) {
        Path directory = directories.of(id);
        directories.take(directory);
        try {
            RocksShardStore store = opened(
                    directory, id, Optional.of(origin), () -> open.remove(id), () -> directories.release(directory));
            open.put(id, store.database());
            WorkerFailpoint.ASSIGN_OPENED.hit();
            return store;
        } catch (RuntimeException e) {
            directories.release(directory);
            throw e;
        }
    }

    private RocksShardStore opened(
            Path directory, ShardId id, Optional<ShardOrigin> origin, Runnable onClose, Runnable onClosed) {
        StoreFailures failures = new StoreFailures(id);
        RocksDatabase database = failures.named(() -> RocksDatabase.open(directory, ShardTables.ALWAYS, resources));
        try {
            ShardTables tables = new ShardTables(database);
            boolean beginning = failures.named(() -> claim(database, tables, origin));
            failures.run(() -> nameQuarantined(database, tables));
            failures.run(() -> tidy(
                    RocksShardStore.checkpoint(database, tables).generations().keySet(), tables));
            RowVersions versions = new RowVersions(versionsRoom);
            return new RocksShardStore(
                    database,
                    tables,
                    failures,
                    new RowCache(room, beginning),
                    versions,
                    new SharedViews(database::view, versions::moment, tables),
                    idle,
                    onClose,
                    onClosed);
        } catch (RuntimeException e) {
            database.close();
            throw e;
        }
    }

    @Override
    public void drop(ShardId id) {
        directories.drop(id);
    }

    @Override
    public void keep(ShardId id) {
        if (Files.exists(directories.kept(id))) {
            return;
        }
        boolean whole = false;
        Path copy = directories.keeping(id);
        try {
            whole = copy(id, copy);
        } finally {
            directories.kept(id, whole);
        }
    }

    @Override
    public Optional<ShardStore> kept(ShardId id) {
        Path directory = directories.kept(id);
        if (!Files.exists(directory) || !directories.take(directory)) {
            return Optional.empty();
        }
        try {
            return Optional.of(opened(directory, id, Optional.empty(), () -> {}, () -> directories.release(directory)));
        } catch (RuntimeException e) {
            directories.release(directory);
            throw e;
        }
    }

    @Override
    public void dropKept(ShardId id) {
        directories.dropKept(id);
    }

    @Override
    public int format() {
        return ShardTables.FORMAT[0];
    }

    @Override
    public boolean copy(ShardId id, Path to) {
        RocksDatabase database = open.get(id);
        if (database == null) {
            return directories.copy(id, to);
        }
        new StoreFailures(id).run(() -> database.copyTo(to));
        return true;
    }

    @Override
    public SortedMap<String, Long> files(Path copy) {
        try {
            SortedMap<String, Long> files = new TreeMap<>();
            for (String name : ShardFileNames.in(copy)) {
                files.put(name, Files.size(copy.resolve(name)));
            }
            return files;
        } catch (IOException e) {
            throw new UncheckedIOException("Expected to list " + copy + ", but " + e, e);
        }
    }

    @Override
    public ShardContents contents(Path copy) {
        try (RocksDatabase database = RocksDatabase.openToRead(copy, resources)) {
            RocksTable meta = database.table("meta");
            byte[] origin = database.get(meta, ShardTables.ORIGIN_KEY);
            if (origin == null || !Arrays.equals(database.get(meta, ShardTables.FORMAT_KEY), ShardTables.FORMAT)) {
                throw new ShardDamagedException("Expected a shard of format " + format() + " at " + copy);
            }
            return new ShardContents(
                    CheckpointCodec.readOrigin(origin),
                    RocksShardStore.checkpoint(database.get(meta, ShardTables.CHECKPOINT_KEY)));
        }
    }

    @Override
    public Path arriving(ShardId id) {
        return directories.arriving(id);
    }

    @Override
    public void arrived(ShardId id) {
        directories.arrived(id);
    }

    @Override
    public void notArriving(ShardId id, boolean remove) {
        directories.notArriving(id, remove);
    }

    /** What is left of shards that are not open. */
    public Leftovers leftovers() {
        return directories;
    }

    /** The databases open at the moment, for readings. */
    public Collection<RocksDatabase> databases() {
        return List.copyOf(open.values());
    }

    /**
     * Merges the index tables that are read more than they are written, one after the other. A shard that cannot be
     * merged keeps no other from it; the first such failure is thrown at the end.
     */
    public void compactOftenRead() {
        Optional<RuntimeException> failure = Optional.empty();
        for (RocksDatabase database : databases()) {
            try {
                database.compactOftenRead();
            } catch (StoreClosedException e) {
                // Its shard was closed meanwhile; the next one is open.
            } catch (RuntimeException e) {
                failure = failure.or(() -> Optional.of(e));
            }
        }
        if (failure.isPresent()) {
            throw failure.get();
        }
    }

    /**
     * Returns the open databases as targets of a checksum scan.
     *
     * @param onDamage receives a damaged shard and the description of its damage
     */
    public List<ChecksumScanTarget> targets(BiConsumer<ShardId, String> onDamage) {
        List<ChecksumScanTarget> targets = new ArrayList<>();
        open.forEach((id, database) -> targets.add(new RocksChecksumScan(database, what -> onDamage.accept(id, what))));
        return targets;
    }

    /** The open shards, each to be copied to the path that it has below the data directory. */
    public Map<String, BackupSource> copies() {
        Map<String, BackupSource> copies = new TreeMap<>();
        open.forEach((id, database) -> copies.put(root.getFileName() + "/" + id, to -> copyOpen(id, database, to)));
        return copies;
    }

    private static void copyOpen(ShardId id, RocksDatabase database, Path to) {
        try {
            new StoreFailures(id).run(() -> database.copyTo(to));
        } catch (ShardClosedException e) {
            // Another worker has the partition by now. A backup need not hold all shards: topics do.
        }
    }

    /**
     * Marks a new database as a shard, and says so; checks that an old one is a shard of this format.
     *
     * @param origin of a new one; empty where it must not be new
     */
    private static boolean claim(RocksDatabase database, ShardTables tables, Optional<ShardOrigin> origin) {
        byte @Nullable [] format = database.get(tables.meta, ShardTables.FORMAT_KEY);
        if (format == null && origin.isPresent()) {
            try (RocksBatch batch = new RocksBatch()) {
                batch.put(tables.meta, ShardTables.ORIGIN_KEY, CheckpointCodec.write(origin.get()));
                batch.put(tables.meta, ShardTables.FORMAT_KEY, ShardTables.FORMAT);
                batch.put(tables.meta, ShardTables.NAMED_KEY, new byte[0]);
                database.write(batch, false);
            }
            return true;
        }
        requireNotNewer(database.path(), format);
        if (!Arrays.equals(format, ShardTables.FORMAT)) {
            throw new ShardDamagedException("Expected a shard of format " + Arrays.toString(ShardTables.FORMAT) + " at "
                    + database.path() + ", but it is " + Arrays.toString(format));
        }
        return false;
    }

    private static void requireNotNewer(Path path, byte @Nullable [] format) {
        if (format != null && format.length > 0 && format[0] > ShardTables.FORMAT[0]) {
            throw new NewerShardException(path, ShardTables.FORMAT[0], format[0]);
        }
    }

    /**
     * Gives a name to each quarantined record of an older version of this program, unless that was done before. Begun
     * again where it was interrupted.
     */
    private static void nameQuarantined(RocksDatabase database, ShardTables tables) {
        if (database.get(tables.meta, ShardTables.NAMED_KEY) != null) {
            return;
        }
        try (RocksView view = database.view();
                RocksScan scan = view.scan(tables.quarantine, KeyRange.ALL, Order.ASC)) {
            boolean left = true;
            while (left) {
                try (RocksBatch batch = new RocksBatch()) {
                    for (int i = 0; i < NAMED_AT_ONCE && scan.isValid(); i++, scan.next()) {
                        QuarantinedRecord record = QuarantineCodec.read(scan.value());
                        byte[] name = QuarantineCodec.write(QuarantinedName.of(record));
                        batch.put(
                                tables.quarantined,
                                ShardTables.nameKey(record.record().key()),
                                name);
                    }
                    left = scan.isValid();
                    if (!left) {
                        batch.put(tables.meta, ShardTables.NAMED_KEY, new byte[0]);
                    }
                    database.write(batch, false);
                }
            }
        }
    }

    /** Completes what an interrupted step left: a generation is there when the checkpoint names it. */
    private static void tidy(Set<Long> named, ShardTables tables) {
        if (!tables.generations().containsAll(named)) {
            throw new ShardDamagedException(
                    "Expected the generations " + named + ", but there are " + tables.generations());
        }
        tables.generations().stream().filter(id -> !named.contains(id)).forEach(tables::drop);
    }
}
