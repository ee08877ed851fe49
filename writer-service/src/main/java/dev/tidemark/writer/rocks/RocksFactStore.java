package dev.tidemark.writer.rocks;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
import dev.tidemark.rocks.RocksDatabase;
import dev.tidemark.rocks.RocksScan;
import dev.tidemark.rocks.RocksTable;
import dev.tidemark.rocks.RocksView;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.commit.CommitPosition;
import dev.tidemark.writer.commit.CommittedChange;
import dev.tidemark.writer.commit.DigestKey;
import dev.tidemark.writer.commit.FactBatch;
import dev.tidemark.writer.commit.FactSnapshot;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.commit.KeyedRow;
import dev.tidemark.writer.commit.ScanPage;
import dev.tidemark.writer.commit.StoredRow;

/**
 * The fact tables in RocksDB. One write batch holds all of a commit, and is synced. What replaced another row lately is
 * also on the heap, for the committer, which is the only one to write rows.
 */
public final class RocksFactStore implements FactStore {
    private static final CommitPosition START = new CommitPosition(new RowVersion(1, 0), Instant.EPOCH);

    /** A key with this after it is the least key above it. */
    private static final KeyBytes LEAST_SUFFIX = KeyBytes.wrap(new byte[] {0});

    private final RocksDatabase database;
    private final TableRegistry tables;
    private final RocksTable facts;
    private final RocksTable outbox;
    private final RocksTable tombstones;
    private final RocksTable deleted;
    private final RocksTable meta;
    private final RowCache committed;

    /** The next commit; for the committer alone. */
    private final PackedBatch laid = new PackedBatch();

    /**
     * The fact tables of a writer.
     *
     * @param cacheBytes heap for the rows that were replaced last; 0 for none
     */
    public RocksFactStore(WriterDatabase writer, long cacheBytes) {
        this.database = writer.database();
        this.tables = writer.registry();
        this.facts = writer.table(WriterTable.FACTS);
        this.outbox = writer.table(WriterTable.OUTBOX);
        this.tombstones = writer.table(WriterTable.TOMBSTONES);
        this.deleted = writer.table(WriterTable.DELETED);
        this.meta = writer.table(WriterTable.META);
        this.committed = new RowCache(new RowCacheMemory(cacheBytes), false);
    }

    @Override
    public @Nullable StoredRow find(String table, KeyBytes key) {
        return read(RowFormat.key(tables.byName(table), key));
    }

    @Override
    public @Nullable StoredRow current(String table, KeyBytes key) {
        byte[] diskKey = RowFormat.key(tables.byName(table), key);
        byte[] value = committed.get(diskKey);
        if (value == null) {
            return read(diskKey);
        }
        return value.length == 0 ? null : RowFormat.cachedRow(value);
    }

    private @Nullable StoredRow read(byte[] diskKey) {
        byte[] value = database.get(facts, diskKey);
        return value == null ? null : RowFormat.row(value);
    }

    @Override
    public List<@Nullable StoredRow> findAll(String table, List<KeyBytes> keys) {
        StoredTable stored = tables.byName(table);
        List<byte[]> diskKeys =
                keys.stream().map(key -> RowFormat.key(stored, key)).toList();
        List<@Nullable StoredRow> rows = new ArrayList<>(keys.size());
        for (byte @Nullable [] value : database.multiGet(facts, diskKeys)) {
            rows.add(value == null ? null : RowFormat.row(value));
        }
        return rows;
    }

    @Override
    public ScanPage scan(String table, @Nullable KeyBytes afterKey, int limit, long maxBytes) {
        KeyBytes prefix = RowFormat.prefix(tables.byName(table));
        KeyBytes from = afterKey == null ? prefix : prefix.concat(afterKey).concat(LEAST_SUFFIX);
        KeyRange range = new KeyRange(from, KeyRange.successor(prefix));
        List<KeyedRow> rows = new ArrayList<>();
        long bytes = 0;
        try (RocksScan scan = database.scan(facts, range, Order.ASC)) {
            for (; scan.isValid() && rows.size() < limit && bytes < maxBytes; scan.next()) {
                byte[] value = scan.value();
                rows.add(new KeyedRow(RowFormat.primaryKey(scan.key()), RowFormat.row(value)));
                bytes += value.length;
            }
            return new ScanPage(rows, scan.isValid());
        }
    }

    @Override
    public FactSnapshot snapshot(String table) {
        KeyRange range = KeyRange.ofPrefix(RowFormat.prefix(tables.byName(table)));
        RocksView view = database.view();
        boolean opened = false;
        try {
            CommitPosition point = point(view.get(meta, MetaKeys.LAST_COMMIT));
            FactSnapshot snapshot = new RocksFactSnapshot(point, view, view.scan(facts, range, Order.ASC));
            opened = true;
            return snapshot;
        } finally {
            if (!opened) {
                view.close();
            }
        }
    }

    @Override
    public CommitPosition lastCommit() {
        CommitPosition last = point(database.get(meta, MetaKeys.LAST_COMMIT));
        byte[] reserved = database.get(meta, MetaKeys.PROMISE);
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
                StoredTable table = tables.byName(change.table());
                byte[] key = RowFormat.key(table, change.event().key());
                keys.add(key);
                values.add(lay(table, key, change));
            }
            laid.put(meta, MetaKeys.LAST_COMMIT, bytes(commit.through()));
            commit.digests()
                    .forEach((key, digest) -> laid.put(meta, DigestFormat.key(key), DigestFormat.value(digest)));
            try (RocksBatch batch = laid.toBatch()) {
                database.write(batch, true);
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
        try (RocksBatch batch = new RocksBatch()) {
            database.write(batch.put(meta, MetaKeys.PROMISE, Bytes.ofLong(Bytes.micros(time))), true);
        }
    }

    @Override
    public void beginEpoch(CommitPosition at) {
        try (RocksBatch batch = new RocksBatch()) {
            database.write(batch.put(meta, MetaKeys.LAST_COMMIT, bytes(at)), true);
        }
    }

    @Override
    public Map<DigestKey, Digest> digests() {
        Map<DigestKey, Digest> digests = new HashMap<>();
        KeyRange range = KeyRange.ofPrefix(KeyBytes.wrap(MetaKeys.DIGEST_PREFIX));
        try (RocksScan scan = database.scan(meta, range, Order.ASC)) {
            for (; scan.isValid(); scan.next()) {
                digests.put(DigestFormat.key(scan.key()), DigestFormat.digest(scan.value()));
            }
        }
        return digests;
    }

    @Override
    public void keepDigests(Map<DigestKey, Digest> known, Set<Long> gone) {
        try (RocksBatch batch = new RocksBatch()) {
            digests().keySet().stream()
                    .filter(key -> gone.contains(key.generation()))
                    .forEach(key -> batch.delete(meta, DigestFormat.key(key)));
            known.forEach((key, digest) -> batch.put(meta, DigestFormat.key(key), DigestFormat.value(digest)));
            database.write(batch, false);
        }
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
                        : RowFormat.cached(value, changes.get(i).digests());
                committed.wrote(key, kept, 0, kept.length);
            }
        }
    }

    private static boolean isNew(CommittedChange change) {
        return change.event() instanceof ChangeEvent.Upserted row && row.operation() == UpsertKind.CREATE;
    }

    /** Lays out a change; the row's value afterwards, {@link RowCache#ABSENT} for none. */
    private byte[] lay(StoredTable table, byte[] key, CommittedChange change) {
        laid.put(outbox, ChangeFormat.key(change.sequence()), ChangeFormat.value(table, change));
        if (change.event() instanceof ChangeEvent.Upserted upserted) {
            byte[] value = RowFormat.value(upserted);
            laid.put(facts, key, value);
            return value;
        }
        if (change.event() instanceof ChangeEvent.Deleted gone) {
            laid.delete(facts, key);
            laid.put(
                    tombstones,
                    TombstoneFormat.key(gone.committedAt(), gone.version()),
                    TombstoneFormat.value(table, change));
            laid.put(deleted, key, Bytes.ofLong(change.sequence()));
            return RowCache.ABSENT;
        }
        throw new IllegalArgumentException("Expected a change of a commit, but got " + change.event());
    }
}
