package dev.tidemark.writer.rocks;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.tidemark.cache.RowCache;
import dev.tidemark.cache.RowCacheMemory;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.UpsertKind;
import dev.tidemark.digest.Digest;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;
import dev.tidemark.rocks.PackedBatch;
import dev.tidemark.rocks.RocksBatch;
import dev.tidemark.rocks.RocksScan;
import dev.tidemark.rocks.RocksTable;
import dev.tidemark.rocks.RocksView;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.commit.CommitPosition;
import dev.tidemark.writer.commit.CommittedChange;
import dev.tidemark.writer.commit.DigestKey;
import dev.tidemark.writer.commit.DiskFailure;
import dev.tidemark.writer.commit.FactBatch;
import dev.tidemark.writer.commit.FactSnapshot;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.commit.KeyedRow;
import dev.tidemark.writer.commit.ScanPage;
import dev.tidemark.writer.commit.SourcePosition;
import dev.tidemark.writer.commit.StoredRow;
import dev.tidemark.writer.commit.StoredRowCodec;
import dev.tidemark.writer.outbox.Tombstone;

/**
 * The fact tables in RocksDB. One write batch holds all of a commit, and is synced. What replaced another row lately is
 * also on the heap, for the committer, which is the only one to write rows.
 */
public final class RocksFactStore implements FactStore {
    private static final CommitPosition START = new CommitPosition(new RowVersion(1, 0), Instant.EPOCH);
    /** A key with this after it is the least key above it. */
    private static final KeyBytes LEAST_SUFFIX = KeyBytes.wrap(new byte[] {0});

    private final WriterDatabase writer;
    private final FactFailures failures;
    private final RowCache committed;

    /** The next commit; for the committer alone. */
    private final PackedBatch laid = new PackedBatch();

    /**
     * The fact tables of a writer.
     *
     * @param cacheBytes heap for the rows that were replaced last; 0 for none
     * @param disk is notified of writes at which the disk fails
     */
    public RocksFactStore(WriterDatabase writer, long cacheBytes, DiskFailure disk) {
        this.writer = writer;
        this.failures = new FactFailures(disk);
        this.committed = new RowCache(new RowCacheMemory(cacheBytes), false);
    }

    @Override
    public @Nullable StoredRow find(String table, KeyBytes key) {
        return read(RowFormat.key(writer.registry.byName(table), key));
    }

    @Override
    public @Nullable StoredRow current(String table, KeyBytes key) {
        byte[] diskKey = RowFormat.key(writer.registry.byName(table), key);
        byte[] value = committed.get(diskKey);
        if (value == null) {
            return read(diskKey);
        }
        return value.length == 0 ? null : StoredRowCodec.cachedRow(value);
    }

    private @Nullable StoredRow read(byte[] diskKey) {
        byte[] value = get(writer.facts, diskKey);
        return value == null ? null : StoredRowCodec.row(value);
    }

    @Override
    public List<@Nullable StoredRow> findAll(String table, List<KeyBytes> keys) {
        StoredTable stored = writer.registry.byName(table);
        List<byte[]> diskKeys =
                keys.stream().map(key -> RowFormat.key(stored, key)).toList();
        List<@Nullable StoredRow> rows = new ArrayList<>(keys.size());
        for (byte @Nullable [] value : failures.reading(() -> writer.database.multiGet(writer.facts, diskKeys))) {
            rows.add(value == null ? null : StoredRowCodec.row(value));
        }
        return rows;
    }

    @Override
    public ScanPage scan(String table, @Nullable KeyBytes afterKey, int limit, long maxBytes) {
        KeyBytes prefix = RowFormat.prefix(writer.registry.byName(table));
        KeyBytes from = afterKey == null ? prefix : prefix.concat(afterKey).concat(LEAST_SUFFIX);
        KeyRange range = new KeyRange(from, KeyRange.successor(prefix));
        return failures.reading(() -> page(range, limit, maxBytes));
    }

    private ScanPage page(KeyRange range, int limit, long maxBytes) {
        List<KeyedRow> rows = new ArrayList<>();
        long bytes = 0;
        try (RocksScan scan = writer.database.scan(writer.facts, range, Order.ASC)) {
            for (; scan.isValid() && rows.size() < limit && bytes < maxBytes; scan.next()) {
                byte[] value = scan.value();
                rows.add(new KeyedRow(RowFormat.primaryKey(scan.key()), StoredRowCodec.row(value)));
                bytes += value.length;
            }
            return new ScanPage(rows, scan.isValid());
        }
    }

    @Override
    public FactSnapshot snapshot(String table) {
        KeyRange range = KeyRange.ofPrefix(RowFormat.prefix(writer.registry.byName(table)));
        return failures.reading(() -> walk(range));
    }

    private FactSnapshot walk(KeyRange range) {
        RocksView view = writer.database.view();
        boolean opened = false;
        try {
            CommitPosition point = point(view.get(writer.meta, MetaKeys.LAST_COMMIT));
            FactSnapshot snapshot = new Snapshot(point, view, view.scan(writer.facts, range, Order.ASC), failures);
            opened = true;
            return snapshot;
        } finally {
            if (!opened) {
                view.close();
            }
        }
    }

    @Override
    public Optional<SourcePosition> sourcePosition(String source) {
        return Optional.ofNullable(get(writer.meta, sourceKey(source))).map(SourcePosition::of);
    }

    @Override
    public CommitPosition lastCommit() {
        CommitPosition last = point(get(writer.meta, MetaKeys.LAST_COMMIT));
        byte[] reserved = get(writer.meta, MetaKeys.PROMISE);
        Instant promised = reserved == null ? Instant.EPOCH : Bytes.time(Bytes.toLong(reserved));
        return promised.isAfter(last.time()) ? new CommitPosition(last.version(), promised) : last;
    }

    @Override
    public void commit(FactBatch commit) {
        List<byte[]> keys = new ArrayList<>(commit.changes().size());
        List<byte[]> values = new ArrayList<>(commit.changes().size());
        laid.clear();
        try {
            for (CommittedChange change : commit.changes()) {
                StoredTable table = writer.registry.byName(change.table());
                byte[] key = RowFormat.key(table, change.event().key());
                keys.add(key);
                values.add(lay(table, key, change));
            }
            laid.put(writer.meta, MetaKeys.LAST_COMMIT, bytes(commit.through()));
            commit.digests().forEach((key, digest) -> laid.put(writer.meta, key(key), value(digest)));
            commit.sources().forEach((name, position) -> laid.put(writer.meta, sourceKey(name), position.toBytes()));
            try (RocksBatch batch = laid.toBatch()) {
                failures.writing(() -> writer.database.write(batch, true));
            }
            remember(commit.changes(), keys, values);
        } catch (RuntimeException e) {
            // What of it was written is not known.
            committed.forget();
            throw e;
        }
    }

    @Override
    public void reserveTimestamps(Instant time) {
        put(MetaKeys.PROMISE, Bytes.ofLong(Bytes.micros(time)));
    }

    @Override
    public void beginEpoch(CommitPosition at) {
        put(MetaKeys.LAST_COMMIT, bytes(at));
    }

    private void put(byte[] key, byte[] value) {
        failures.writing(() -> writer.database.put(writer.meta, key, value, true));
    }

    private byte @Nullable [] get(RocksTable table, byte[] key) {
        return failures.<byte @Nullable []>reading(() -> writer.database.get(table, key));
    }

    @Override
    public Map<DigestKey, Digest> digests() {
        return failures.reading(this::readDigests);
    }

    private Map<DigestKey, Digest> readDigests() {
        Map<DigestKey, Digest> digests = new HashMap<>();
        KeyRange range = KeyRange.ofPrefix(KeyBytes.wrap(MetaKeys.DIGEST_PREFIX));
        try (RocksScan scan = writer.database.scan(writer.meta, range, Order.ASC)) {
            for (; scan.isValid(); scan.next()) {
                digests.put(digestKey(scan.key()), digest(scan.value()));
            }
        }
        return digests;
    }

    @Override
    public void keepDigests(Map<DigestKey, Digest> known, Set<Long> gone) {
        try (RocksBatch batch = new RocksBatch()) {
            digests().keySet().stream()
                    .filter(key -> gone.contains(key.generation()))
                    .forEach(key -> batch.delete(writer.meta, key(key)));
            known.forEach((key, digest) -> batch.put(writer.meta, key(key), value(digest)));
            failures.writing(() -> writer.database.write(batch, false));
        }
    }

    private static byte[] sourceKey(String name) {
        return MetaKeys.key(MetaKeys.SOURCE_PREFIX + name);
    }

    /** A digest is an entry of {@link WriterDatabase#meta}. */
    private static byte[] key(DigestKey key) {
        return ByteBuffer.allocate(MetaKeys.DIGEST_PREFIX.length + Long.BYTES + Integer.BYTES)
                .put(MetaKeys.DIGEST_PREFIX)
                .putLong(key.generation())
                .putInt(key.partition())
                .array();
    }

    private static DigestKey digestKey(byte[] key) {
        ByteBuffer in = ByteBuffer.wrap(key).position(MetaKeys.DIGEST_PREFIX.length);
        return new DigestKey(in.getLong(), in.getInt());
    }

    private static byte[] value(Digest digest) {
        return ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(digest.high())
                .putLong(digest.low())
                .array();
    }

    private static Digest digest(byte[] value) {
        ByteBuffer in = ByteBuffer.wrap(value);
        return new Digest(in.getLong(), in.getLong());
    }

    private static byte[] bytes(CommitPosition point) {
        return ByteBuffer.allocate(3 * Long.BYTES)
                .putLong(point.version().epoch())
                .putLong(point.version().sequence())
                .putLong(Bytes.micros(point.time()))
                .array();
    }

    private static CommitPosition point(byte @Nullable [] stored) {
        if (stored == null) {
            return START;
        }
        ByteBuffer in = ByteBuffer.wrap(stored);
        return new CommitPosition(new RowVersion(in.getLong(), in.getLong()), Bytes.time(in.getLong()));
    }

    /** New rows are not kept: a load of millions would push out what does change. */
    private void remember(List<CommittedChange> changes, List<byte[]> keys, List<byte[]> values) {
        for (int i = 0; i < values.size(); i++) {
            byte[] key = keys.get(i);
            if (!isNew(changes.get(i)) || committed.get(key) != null) {
                byte[] value = values.get(i);
                byte[] kept = value.length == 0
                        ? value
                        : StoredRowCodec.cached(value, changes.get(i).digests());
                committed.wrote(key, kept, 0, kept.length);
            }
        }
    }

    private static boolean isNew(CommittedChange change) {
        return change.event() instanceof ChangeEvent.Upserted row && row.operation() == UpsertKind.CREATE;
    }

    /** Lays out a change; the row's value afterwards, {@link RowCache#ABSENT} for none. */
    private byte[] lay(StoredTable table, byte[] key, CommittedChange change) {
        laid.put(writer.outbox, ChangeFormat.key(change.sequence()), ChangeFormat.value(table, change));
        Tombstone.of(change).forEach(tombstone -> {
            laid.put(
                    writer.tombstones,
                    TombstoneFormat.key(tombstone),
                    TombstoneFormat.value(writer.registry, tombstone));
            laid.put(writer.deleted, TombstoneFormat.row(writer.registry, tombstone), Bytes.ofLong(change.sequence()));
        });
        if (change.event() instanceof ChangeEvent.Upserted upserted) {
            byte[] value = StoredRowCodec.value(upserted);
            laid.put(writer.facts, key, value);
            return value;
        }
        if (change.event() instanceof ChangeEvent.Deleted) {
            laid.delete(writer.facts, key);
            return RowCache.ABSENT;
        }
        throw new IllegalArgumentException("Expected a change of a commit, but got " + change.event());
    }

    /** A walk through one table, and the commit point as the same view of the database shows it. */
    private record Snapshot(CommitPosition point, RocksView view, RocksScan scan, FactFailures failures)
            implements FactSnapshot {
        @Override
        public @Nullable KeyedRow next() {
            if (!failures.reading(scan::isValid)) {
                return null;
            }
            KeyedRow row = new KeyedRow(RowFormat.primaryKey(scan.key()), StoredRowCodec.row(scan.value()));
            scan.next();
            return row;
        }

        @Override
        public void close() {
            scan.close();
            view.close();
        }
    }
}
