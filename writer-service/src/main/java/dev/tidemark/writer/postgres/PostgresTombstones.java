package dev.tidemark.writer.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.outbox.Tombstone;
import dev.tidemark.writer.outbox.Tombstones;

/** Deletes whose rows are to be forgotten, in PostgreSQL, in the order in which they fall due. */
record PostgresTombstones(FactTables tables, OwnConnection relay) implements Tombstones {
    private static final String COLUMNS =
            "SELECT table_id, partition, pk, epoch, sequence, deleted_at, derived FROM tidemark.tombstones";
    private static final String DUE = COLUMNS + " WHERE deleted_at <= " + Rows.TIME
            + " AND (deleted_at, sequence, derived, partition) > (" + Rows.TIME + ", ?, ?, ?)"
            + " ORDER BY deleted_at, sequence, derived, partition LIMIT ?";
    private static final String SUPERSEDED = "SELECT EXISTS (SELECT FROM tidemark.tombstones"
            + " WHERE table_id = ? AND pk = ? AND sequence > ?" + " AND derived = ? AND partition = ?)";
    private static final String REMOVE = "DELETE FROM tidemark.tombstones AS t"
            + " USING unnest(?::bigint[], ?::bigint[], ?::text[], ?::integer[]) AS done (micros, sequence, derived, partition)"
            + " WHERE t.deleted_at = 'epoch'::timestamptz + done.micros * '1 microsecond'::interval"
            + " AND t.sequence = done.sequence AND t.derived = done.derived AND t.partition = done.partition"
            + " AND set_config('synchronous_commit', 'off', true) IS NOT NULL";

    @Override
    public List<Tombstone> due(Instant until, Optional<Tombstone> after, int limit) {
        return relay.call(connection -> Statements.all(
                connection,
                DUE,
                this::read,
                Rows.micros(until),
                after.map(one -> Rows.micros(one.deletedAt())).orElse(Long.valueOf(0)),
                after.map(one -> one.version().sequence()).orElse(0L),
                after.map(one -> derived(one.table())).orElse(""),
                after.map(Tombstone::partition).orElse(-1),
                limit));
    }

    @Override
    public boolean isSuperseded(Tombstone tombstone) {
        return relay.call(connection -> Statements.one(
                connection,
                SUPERSEDED,
                row -> row.getBoolean(1),
                id(tombstone.table()),
                tombstone.key().array(),
                tombstone.version().sequence(),
                derived(tombstone.table()),
                tombstone.partition()));
    }

    @Override
    public void remove(List<Tombstone> done) {
        long[] times =
                done.stream().mapToLong(one -> Rows.micros(one.deletedAt())).toArray();
        long[] sequences =
                done.stream().mapToLong(one -> one.version().sequence()).toArray();
        String[] homes = done.stream().map(one -> derived(one.table())).toArray(String[]::new);
        int[] partitions = done.stream().mapToInt(Tombstone::partition).toArray();
        relay.call(connection -> Statements.update(connection, REMOVE, times, sequences, homes, partitions));
    }

    /** Number of a table, or of that which it is derived from. */
    private int id(String table) {
        return tables.byName(DerivedTable.base(table)).id();
    }

    /** The column {@code derived}: the name of a derived table, empty for that of a fact table. */
    static String derived(String table) {
        return DerivedTable.of(table).map(DerivedTable::name).orElse("");
    }

    private Tombstone read(ResultSet row) throws SQLException {
        String derived = row.getString(7);
        return new Tombstone(
                derived.isEmpty() ? tables.byId(row.getInt(1)).name() : derived,
                row.getInt(2),
                KeyBytes.wrap(row.getBytes(3)),
                new RowVersion(row.getLong(4), row.getLong(5)),
                Rows.time(row, 6));
    }
}
