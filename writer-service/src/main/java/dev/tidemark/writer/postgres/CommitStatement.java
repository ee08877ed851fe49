package dev.tidemark.writer.postgres;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.digest.Digest;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.commit.ChangeKinds;
import dev.tidemark.writer.commit.CommittedChange;
import dev.tidemark.writer.commit.DigestKey;
import dev.tidemark.writer.commit.FactBatch;
import dev.tidemark.writer.commit.Placement;
import dev.tidemark.writer.outbox.Tombstone;

/**
 * A commit as one statement, so that it takes one round trip and is its own transaction. Its first part updates the row
 * of the writer, and everything else happens only where that found the row as expected. A row that a batch changes
 * several times is written once.
 */
final class CommitStatement {
    private static final String WRITER = "WITH held AS (UPDATE tidemark.writer SET epoch = ?, sequence = ?,"
            + " committed_at = " + Rows.TIME
            + " WHERE id = 1 AND ctid = ? AND term = ? AND epoch = ? AND sequence = ? RETURNING ctid),\n"
            + "changes AS MATERIALIZED (SELECT sequence, ?::bigint AS epoch, table_id, partition, kind,"
            + " 'epoch'::timestamptz + micros * '1 microsecond'::interval AS at, pk, row, newest, %1$s"
            + " FROM unnest(?::bigint[], ?::integer[], ?::integer[], ?::smallint[], ?::bigint[], ?::bytea[], ?::bytea[],"
            + " ?::boolean[]%2$s) AS c (sequence, table_id, partition, kind, micros, pk, row, newest%3$s)"
            + " WHERE EXISTS (SELECT FROM held)),\n";
    private static final String OUTBOX = "published AS (INSERT INTO tidemark.outbox_%d"
            + " (sequence, table_id, partition, kind, epoch, committed_at, pk, row, placements)"
            + " SELECT sequence, table_id, partition, kind, epoch, at, pk, row, placements FROM changes)";
    private static final String UPSERT =
            ",\nu%d AS (INSERT INTO %s AS f (pk, epoch, sequence, committed_at, bytes, row)"
                    + " SELECT pk, epoch, sequence, at, octet_length(row), convert_from(row, 'UTF8')::json FROM changes"
                    + " WHERE table_id = %1$d AND newest AND kind <> " + ChangeKinds.DELETED
                    + " ON CONFLICT (pk) DO UPDATE SET epoch = excluded.epoch, sequence = excluded.sequence,"
                    + " committed_at = excluded.committed_at, bytes = excluded.bytes, row = excluded.row)";
    private static final String DELETE = ",\nd%d AS (DELETE FROM %s AS f USING changes AS c"
            + " WHERE c.table_id = %1$d AND c.newest AND c.kind = " + ChangeKinds.DELETED + " AND f.pk = c.pk)";
    private static final String TOMBSTONES = ",\ngone AS (INSERT INTO tidemark.tombstones"
            + " (deleted_at, sequence, epoch, table_id, partition, pk, derived)"
            + " SELECT c.at, c.sequence, c.epoch, c.table_id, t.partition, c.pk, t.derived FROM changes AS c"
            + " JOIN unnest(?::bigint[], ?::integer[], ?::text[]) AS t (sequence, partition, derived)"
            + " ON t.sequence = c.sequence)";
    private static final String DIGESTS =
            ",\nsums AS (INSERT INTO tidemark.digests AS s (generation, partition, high, low)"
                    + " SELECT n.* FROM unnest(?::bigint[], ?::integer[], ?::bigint[], ?::bigint[]) AS n"
                    + " WHERE EXISTS (SELECT FROM held) ON CONFLICT (generation, partition)"
                    + " DO UPDATE SET high = excluded.high, low = excluded.low)";
    private static final String SOURCES = ",\nfollowed AS (INSERT INTO tidemark.settings (name, value)"
            + " SELECT n.* FROM unnest(?::text[], ?::text[]) AS n WHERE EXISTS (SELECT FROM held)"
            + " ON CONFLICT (name) DO UPDATE SET value = excluded.value)";
    private static final String END = "\nSELECT ctid::text FROM held";

    private final FactTables tables;
    private final FactBatch batch;
    private final int count;
    private final long[] sequences;
    private final int[] tableIds;
    private final int[] partitions;
    private final short[] kinds;
    private final long[] times;
    private final byte[][] keys;
    private final byte[] @Nullable [] rows;
    private final boolean[] newest;
    private final byte[] @Nullable [] placements;
    private final List<Tombstone> tombstones;

    /** By the number of the table, whether rows of it are written, and whether some are deleted. */
    private final SortedMap<Integer, Set<Boolean>> deletes = new TreeMap<>();

    CommitStatement(FactTables tables, FactBatch batch) {
        this.tables = tables;
        this.batch = batch;
        this.count = batch.changes().size();
        this.sequences = new long[count];
        this.tableIds = new int[count];
        this.partitions = new int[count];
        this.kinds = new short[count];
        this.times = new long[count];
        this.keys = new byte[count][];
        this.rows = new byte[count][];
        this.newest = new boolean[count];
        this.placements = new byte[count][];
        this.tombstones = batch.changes().stream()
                .flatMap(change -> Tombstone.of(change).stream())
                .toList();
        lay();
    }

    /** Carries it out; the new place of the writer's row, empty where the row was not as expected. */
    Optional<String> run(Connection connection, int slot, CommitSession.Fence fence) throws SQLException {
        return Statements.text(connection, sql(slot), parameters(fence));
    }

    /** From the newest change on, so that the first one met of a row is the one that counts. */
    private void lay() {
        Set<RowId> seen = new HashSet<>();
        for (int i = count - 1; i >= 0; i--) {
            CommittedChange change = batch.changes().get(i);
            ChangeEvent event = change.event();
            sequences[i] = change.sequence();
            tableIds[i] = tables.byName(change.table()).id();
            partitions[i] = change.partition();
            kinds[i] = (short) ChangeKinds.of(event);
            times[i] = Rows.micros(event.committedAt());
            keys[i] = event.key().array();
            rows[i] = event instanceof ChangeEvent.Upserted row ? row.row().bytes() : null;
            placements[i] = change.placements().isEmpty() ? null : Placement.encode(change.placements());
            newest[i] = seen.add(new RowId(tableIds[i], event.key()));
            deletes.computeIfAbsent(tableIds[i], id -> new HashSet<>()).add(kinds[i] == ChangeKinds.DELETED);
        }
    }

    private boolean isPlaced() {
        return Arrays.stream(placements).anyMatch(Objects::nonNull);
    }

    private String sql(int slot) {
        String writer = isPlaced()
                ? WRITER.formatted("placements", ", ?::bytea[]", ", placements")
                : WRITER.formatted("NULL::bytea AS placements", "", "");
        StringBuilder sql = new StringBuilder(writer).append(OUTBOX.formatted(slot));
        for (Map.Entry<Integer, Set<Boolean>> table : deletes.entrySet()) {
            String relation = tables.byId(table.getKey()).relation();
            if (table.getValue().contains(false)) {
                sql.append(UPSERT.formatted(table.getKey(), relation));
            }
            if (table.getValue().contains(true)) {
                sql.append(DELETE.formatted(table.getKey(), relation));
            }
        }
        sql.append(tombstones.isEmpty() ? "" : TOMBSTONES);
        return sql.append(batch.digests().isEmpty() ? "" : DIGESTS)
                .append(batch.sources().isEmpty() ? "" : SOURCES)
                .append(END)
                .toString();
    }

    private Object[] parameters(CommitSession.Fence fence) {
        RowVersion through = batch.through().version();
        List<Object> parameters = new ArrayList<>(List.of(
                through.epoch(),
                through.sequence(),
                Rows.micros(batch.through().time()),
                Statements.untyped(fence.place()),
                fence.term(),
                fence.last().epoch(),
                fence.last().sequence(),
                through.epoch()));
        parameters.addAll(Arrays.asList(sequences, tableIds, partitions, kinds, times, keys, rows, newest));
        if (isPlaced()) {
            parameters.add(placements);
        }
        if (!tombstones.isEmpty()) {
            parameters.add(tombstones.stream()
                    .mapToLong(one -> one.version().sequence())
                    .toArray());
            parameters.add(tombstones.stream().mapToInt(Tombstone::partition).toArray());
            parameters.add(tombstones.stream()
                    .map(one -> PostgresTombstones.derived(one.table()))
                    .toArray(String[]::new));
        }
        if (!batch.digests().isEmpty()) {
            parameters.addAll(columns(batch.digests()));
        }
        if (!batch.sources().isEmpty()) {
            List<String> names = List.copyOf(batch.sources().keySet());
            parameters.add(names.stream().map(CommitStatement::sourceName).toArray(String[]::new));
            parameters.add(names.stream().map(this::position).toArray(String[]::new));
        }
        return parameters.toArray();
    }

    /** Where the position of a source is in {@code tidemark.settings}. */
    static String sourceName(String source) {
        return "source." + source;
    }

    private String position(String source) {
        return new String(Objects.requireNonNull(batch.sources().get(source)).toBytes(), StandardCharsets.UTF_8);
    }

    /** Digests as the columns that statements take. */
    static List<Object> columns(Map<DigestKey, Digest> digests) {
        List<Map.Entry<DigestKey, Digest>> entries = List.copyOf(digests.entrySet());
        return List.of(
                entries.stream().mapToLong(one -> one.getKey().generation()).toArray(),
                entries.stream().mapToInt(one -> one.getKey().partition()).toArray(),
                entries.stream().mapToLong(one -> one.getValue().high()).toArray(),
                entries.stream().mapToLong(one -> one.getValue().low()).toArray());
    }

    private record RowId(int table, KeyBytes key) implements Comparable<RowId> {
        @Override
        public int compareTo(RowId other) {
            int byKey = key.compareTo(other.key);
            return byKey == 0 ? Integer.compare(table, other.table) : byKey;
        }
    }
}
