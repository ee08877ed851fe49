package dev.tidemark.writer.postgres;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

import dev.tidemark.cache.RowCache;
import dev.tidemark.cache.RowCacheMemory;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.UpsertKind;
import dev.tidemark.digest.Digest;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;
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
        return readers.read(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(LAST)) {
                return last(statement).orElseThrow();
            }
        });
    }

    @Override
    public CommitPosition currentCommit() {
        return session.readHeld((connection, fence) -> {
            try (PreparedStatement statement = connection.prepareStatement(LAST + HELD)) {
                statement.setLong(1, fence.term());
                return last(statement);
            }
        });
    }

    private static Optional<CommitPosition> last(PreparedStatement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery()) {
            return row.next()
                    ? Optional.of(new CommitPosition(new RowVersion(row.getLong(1), row.getLong(2)), Rows.time(row, 3)))
                    : Optional.empty();
        }
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
        session.runHeld((connection, fence) -> {
            try (PreparedStatement statement = connection.prepareStatement(RESERVE)) {
                statement.setLong(1, Rows.micros(time));
                statement.setObject(2, fence.place(), Types.OTHER);
                statement.setLong(3, fence.term());
                return CommitStatement.place(statement);
            }
        });
    }

    @Override
    public void beginEpoch(CommitPosition at) {
        CopyIdentity copy = guard.identity();
        session.commit(at.version(), (connection, fence) -> {
            try (PreparedStatement statement = connection.prepareStatement(BEGIN_EPOCH)) {
                statement.setLong(1, at.version().epoch());
                statement.setLong(2, at.version().sequence());
                statement.setLong(3, Rows.micros(at.time()));
                statement.setString(4, copy.system());
                statement.setLong(5, copy.timeline());
                statement.setObject(6, fence.place(), Types.OTHER);
                statement.setLong(7, fence.term());
                statement.setLong(8, fence.last().epoch());
                statement.setLong(9, fence.last().sequence());
                return CommitStatement.place(statement);
            }
        });
    }

    @Override
    public Map<DigestKey, Digest> digests() {
        return session.run((connection, fence) -> {
            Map<DigestKey, Digest> digests = new HashMap<>();
            try (PreparedStatement statement = connection.prepareStatement(DIGESTS);
                    ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    digests.put(
                            new DigestKey(row.getLong(1), row.getInt(2)), new Digest(row.getLong(3), row.getLong(4)));
                }
            }
            return digests;
        });
    }

    @Override
    public void keepDigests(Map<DigestKey, Digest> known, Set<Long> gone) {
        List<Object> arrays = CommitStatement.columns(known);
        session.runHeld((connection, fence) -> {
            try (PreparedStatement statement = connection.prepareStatement(KEEP)) {
                statement.setObject(1, fence.place(), Types.OTHER);
                statement.setLong(2, fence.term());
                statement.setArray(
                        3,
                        array(
                                connection,
                                "int8",
                                gone.stream().mapToLong(id -> id).toArray()));
                for (int i = 0; i < arrays.size(); i++) {
                    statement.setArray(4 + i, array(connection, CommitStatement.DIGEST_TYPES.get(i), arrays.get(i)));
                }
                return CommitStatement.place(statement);
            }
        });
    }

    private static Array array(Connection connection, String type, Object elements) throws SQLException {
        return connection.unwrap(PGConnection.class).createArrayOf(type, elements);
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
