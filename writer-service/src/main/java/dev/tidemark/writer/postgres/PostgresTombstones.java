package dev.tidemark.writer.postgres;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.postgresql.PGConnection;

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
        return relay.call(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(DUE)) {
                statement.setLong(1, Rows.micros(until));
                statement.setLong(
                        2, after.map(one -> Rows.micros(one.deletedAt())).orElse(Long.valueOf(0)));
                statement.setLong(3, after.map(one -> one.version().sequence()).orElse(0L));
                statement.setString(4, after.map(one -> derived(one.table())).orElse(""));
                statement.setInt(5, after.map(Tombstone::partition).orElse(-1));
                statement.setInt(6, limit);
                return read(statement);
            }
        });
    }

    @Override
    public boolean isSuperseded(Tombstone tombstone) {
        return relay.call(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(SUPERSEDED)) {
                statement.setInt(1, id(tombstone.table()));
                statement.setBytes(2, tombstone.key().array());
                statement.setLong(3, tombstone.version().sequence());
                statement.setString(4, derived(tombstone.table()));
                statement.setInt(5, tombstone.partition());
                try (ResultSet row = statement.executeQuery()) {
                    row.next();
                    return row.getBoolean(1);
                }
            }
        });
    }

    @Override
    public void remove(List<Tombstone> done) {
        long[] times =
                done.stream().mapToLong(one -> Rows.micros(one.deletedAt())).toArray();
        long[] sequences =
                done.stream().mapToLong(one -> one.version().sequence()).toArray();
        String[] homes = done.stream().map(one -> derived(one.table())).toArray(String[]::new);
        int[] partitions = done.stream().mapToInt(Tombstone::partition).toArray();
        relay.call(connection -> {
            PGConnection driver = connection.unwrap(PGConnection.class);
            try (PreparedStatement statement = connection.prepareStatement(REMOVE)) {
                statement.setArray(1, driver.createArrayOf("int8", times));
                statement.setArray(2, driver.createArrayOf("int8", sequences));
                statement.setArray(3, driver.createArrayOf("text", homes));
                statement.setArray(4, driver.createArrayOf("int4", partitions));
                return statement.executeUpdate();
            }
        });
    }

    /** Number of a table, or of that which it is derived from. */
    private int id(String table) {
        return tables.byName(DerivedTable.base(table)).id();
    }

    /** The column {@code derived}: the name of a derived table, empty for that of a fact table. */
    static String derived(String table) {
        return DerivedTable.of(table).map(DerivedTable::name).orElse("");
    }

    private List<Tombstone> read(PreparedStatement statement) throws SQLException {
        List<Tombstone> found = new ArrayList<>();
        try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                String derived = row.getString(7);
                found.add(new Tombstone(
                        derived.isEmpty() ? tables.byId(row.getInt(1)).name() : derived,
                        row.getInt(2),
                        KeyBytes.wrap(row.getBytes(3)),
                        new RowVersion(row.getLong(4), row.getLong(5)),
                        Rows.time(row, 6)));
            }
        }
        return found;
    }
}
