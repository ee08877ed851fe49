package dev.tidemark.writer.postgres;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.tidemark.cache.RowCache;
import dev.tidemark.cache.RowCacheMemory;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.UpsertKind;
import dev.tidemark.digest.Digest;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.writer.commit.CommitPosition;
import dev.tidemark.writer.commit.CommittedChange;
import dev.tidemark.writer.commit.DigestKey;
import dev.tidemark.writer.commit.FactBatch;
import dev.tidemark.writer.commit.FactSnapshot;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.commit.ScanPage;
import dev.tidemark.writer.commit.SourcePosition;
import dev.tidemark.writer.commit.StoredRow;
import dev.tidemark.writer.commit.StoredRowCodec;
import dev.tidemark.writer.commit.WriteCommand;
import dev.tidemark.writer.commit.WriteRequest;

/**
 * The fact tables in PostgreSQL. What replaced another row lately is also on the heap, for the committer, and so are
 * the rows that it announced for the next commit.
 */
final class PostgresFactStore implements FactStore {
    private static final long AHEAD_BYTES = 8L << 20;
    private static final String LAST =
            "SELECT epoch, sequence, greatest(committed_at, reserved_until) FROM tidemark.writer WHERE id = 1";
    private static final String HELD = " AND term = ?";
    private static final String RESERVE = "UPDATE tidemark.writer SET reserved_until = " + Rows.TIME
            + " WHERE id = 1 AND ctid = ? AND term = ?" + " RETURNING ctid::text";
    private static final String BEGIN_EPOCH =
            "UPDATE tidemark.writer SET epoch = ?, sequence = ?, committed_at = " + Rows.TIME
                    + ", system_identifier = ?, timeline = ? WHERE id = 1 AND ctid = ? AND term = ?"
                    + " AND epoch = ? AND sequence = ? RETURNING ctid::text";
    private static final String DIGESTS = "SELECT generation, partition, high, low FROM tidemark.digests";
    private static final String KEEP =
            "WITH held AS (SELECT ctid FROM tidemark.writer WHERE id = 1 AND ctid = ? AND term = ? FOR UPDATE),"
                    + " gone AS (DELETE FROM tidemark.digests USING held WHERE generation = ANY (?)),"
                    + " kept AS (INSERT INTO tidemark.digests (generation, partition, high, low) SELECT n.*"
                    + " FROM unnest(?::bigint[], ?::integer[], ?::bigint[], ?::bigint[]) AS n, held"
                    + " ON CONFLICT (generation, partition) DO UPDATE SET high = excluded.high, low = excluded.low)"
                    + " SELECT ctid::text FROM held";

    private final FactTables tables;
    private final CommitSession session;
    private final Readers readers;
    private final OutboxSlots slots;
    private final TableViews views;
    private final ConnectionGuard guard;
    private final RowCache committed;
    private final Map<String, Map<KeyBytes, Optional<StoredRow>>> ahead = new HashMap<>();

    /**
     * The fact tables of a database.
     *
     * @param cacheBytes heap for the rows that were replaced last; 0 for none
     */
    PostgresFactStore(
            FactTables tables,
            CommitSession session,
            Readers readers,
            OutboxSlots slots,
            TableViews views,
            ConnectionGuard guard,
            long cacheBytes) {
        this.tables = tables;
        this.session = session;
        this.readers = readers;
        this.slots = slots;
        this.views = views;
        this.guard = guard;
        this.committed = new RowCache(new RowCacheMemory(cacheBytes), false);
    }

    @Override
    public @Nullable StoredRow find(String table, KeyBytes key) {
        FactTable stored = toRead(table);
        return readers.read(connection -> RowReads.all(connection, stored, List.of(key)))
                .get(key);
    }

    @Override
    public @Nullable StoredRow current(String table, KeyBytes key) {
        FactTable stored = tables.byName(table);
        byte[] value = committed.get(cacheKey(stored, key));
        if (value != null) {
            return value.length == 0 ? null : StoredRowCodec.cachedRow(value);
        }
        Optional<StoredRow> read = ahead.getOrDefault(table, Map.of()).get(key);
        if (read != null) {
            return read.orElse(null);
        }
        return session.run((connection, fence) -> RowReads.all(connection, stored, List.of(key)))
                .get(key);
    }

    @Override
    public void readAhead(List<WriteRequest> requests) {
        ahead.clear();
        Map<String, Set<KeyBytes>> wanted = new HashMap<>();
        for (WriteRequest request : requests) {
            FactTable table = tables.byName(request.table());
            Set<KeyBytes> keys = wanted.computeIfAbsent(request.table(), name -> new HashSet<>());
            request.commands().stream()
                    .map(WriteCommand::key)
                    .filter(key -> committed.get(cacheKey(table, key)) == null)
                    .forEach(keys::add);
        }
        wanted.forEach((table, keys) -> {
            if (!keys.isEmpty()) {
                ahead.put(
                        table,
                        session.run((connection, fence) ->
                                RowReads.some(connection, tables.byName(table), keys, AHEAD_BYTES)));
            }
        });
    }

    @Override
    public List<@Nullable StoredRow> findAll(String table, List<KeyBytes> keys) {
        FactTable stored = toRead(table);
        Map<KeyBytes, StoredRow> found = readers.read(connection -> RowReads.all(connection, stored, keys));
        List<@Nullable StoredRow> rows = new ArrayList<>(keys.size());
        keys.forEach(key -> rows.add(found.get(key)));
        return rows;
    }

    @Override
    public ScanPage scan(String table, @Nullable KeyBytes afterKey, int limit, long maxBytes) {
        FactTable stored = toRead(table);
        return readers.read(connection -> RowReads.page(connection, stored, afterKey, limit, maxBytes));
    }

    @Override
    public FactSnapshot snapshot(String table) {
        return readers.snapshot(toRead(table));
    }

    /** The writer that commits may have added a table since this one has read which there are. */
    private FactTable toRead(String table) {
        if (!tables.has(table)) {
            boolean unused = readers.read(connection -> {
                tables.load(connection);
                return true;
            });
        }
        return tables.byName(table);
    }

    @Override
    public Optional<SourcePosition> sourcePosition(String source) {
        session.requireCertain();
        return readers.read(connection -> position(connection, source));
    }

    @Override
    public Optional<SourcePosition> currentPosition(String source) {
        return session.run((connection, fence) -> position(connection, source));
    }

    private static Optional<SourcePosition> position(Connection connection, String source) throws SQLException {
        return NamedValues.find(connection, CommitStatement.sourceName(source))
                .map(value -> SourcePosition.of(value.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public CommitPosition lastCommit() {
        session.requireCertain();
        return readers.read(connection -> Statements.one(connection, LAST, Rows::position));
    }

    @Override
    public CommitPosition currentCommit() {
        return session.readHeld(
                (connection, fence) -> Statements.first(connection, LAST + HELD, Rows::position, fence.term()));
    }

    @Override
    public void commit(FactBatch batch) {
        boolean done = false;
        try {
            CommitStatement statement = new CommitStatement(tables, batch);
            int slot = slots.forCommit();
            session.commit(batch.through().version(), (connection, fence) -> statement.run(connection, slot, fence));
            if (!batch.changes().isEmpty()) {
                slots.wrote(
                        slot,
                        batch.through().version().sequence(),
                        batch.changes().size());
            }
            remember(batch.changes());
            views.offer(batch.changes());
            done = true;
        } finally {
            ahead.clear();
            if (!done) {
                committed.forget();
            }
        }
    }

    @Override
    public void reserveTimestamps(Instant time) {
        session.runHeld((connection, fence) -> Statements.text(
                connection, RESERVE, Rows.micros(time), Statements.untyped(fence.place()), fence.term()));
    }

    @Override
    public void beginEpoch(CommitPosition at) {
        CopyIdentity copy = guard.identity();
        session.commit(
                at.version(),
                (connection, fence) -> Statements.text(
                        connection,
                        BEGIN_EPOCH,
                        at.version().epoch(),
                        at.version().sequence(),
                        Rows.micros(at.time()),
                        copy.system(),
                        copy.timeline(),
                        Statements.untyped(fence.place()),
                        fence.term(),
                        fence.last().epoch(),
                        fence.last().sequence()));
    }

    @Override
    public Map<DigestKey, Digest> digests() {
        return session
                .run((connection, fence) -> Statements.all(
                        connection,
                        DIGESTS,
                        row -> Map.entry(
                                new DigestKey(row.getLong(1), row.getInt(2)),
                                new Digest(row.getLong(3), row.getLong(4)))))
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    @Override
    public void keepDigests(Map<DigestKey, Digest> known, Set<Long> gone) {
        session.runHeld((connection, fence) -> {
            List<Object> parameters = new ArrayList<>();
            parameters.add(Statements.untyped(fence.place()));
            parameters.add(fence.term());
            parameters.add(gone.stream().mapToLong(id -> id).toArray());
            parameters.addAll(CommitStatement.columns(known));
            return Statements.text(connection, KEEP, parameters.toArray());
        });
    }

    /** New rows are not kept: a load of millions would push out what does change. */
    private void remember(List<CommittedChange> changes) {
        for (CommittedChange change : changes) {
            byte[] key = cacheKey(tables.byName(change.table()), change.event().key());
            if (change.event() instanceof ChangeEvent.Upserted row) {
                if (row.operation() != UpsertKind.CREATE || committed.get(key) != null) {
                    byte[] value = StoredRowCodec.cached(StoredRowCodec.value(row), change.digests());
                    committed.wrote(key, value, 0, value.length);
                }
            } else {
                committed.wrote(key, RowCache.ABSENT, 0, 0);
            }
        }
    }

    private static byte[] cacheKey(FactTable table, KeyBytes key) {
        return ByteBuffer.allocate(Integer.BYTES + key.length())
                .putInt(table.id())
                .put(key.array())
                .array();
    }
}
