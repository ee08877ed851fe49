package dev.tidemark.writer.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.commit.ChangeKinds;
import dev.tidemark.writer.commit.CommittedChange;
import dev.tidemark.writer.commit.Placement;
import dev.tidemark.writer.outbox.Outbox;

/**
 * The outbox in PostgreSQL: three tables that take turns. No change is deleted. A table whose changes are all trimmed
 * is emptied as a whole, which leaves no dead rows behind.
 */
final class PostgresOutbox implements Outbox {
    private static final Logger LOGGER = LoggerFactory.getLogger(PostgresOutbox.class);
    private static final String READ =
            "SELECT sequence, table_id, partition, kind, epoch, committed_at, pk, row, placements FROM ("
                    + "SELECT *, coalesce(sum(octet_length(pk) + coalesce(octet_length(row), 0))"
                    + " OVER (ORDER BY sequence ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before FROM ("
                    + "SELECT * FROM (SELECT * FROM tidemark.outbox_0 UNION ALL SELECT * FROM tidemark.outbox_1"
                    + " UNION ALL SELECT * FROM tidemark.outbox_2) AS slots WHERE sequence > ? ORDER BY sequence LIMIT ?"
                    + ") AS found) AS added WHERE before < ? ORDER BY sequence";
    private static final String MARKS = "SELECT m.published, m.low_water, w.sequence"
            + " FROM tidemark.marks AS m, tidemark.writer AS w WHERE m.id = 1 AND w.id = 1";

    /**
     * Only while the last commit is no earlier: fact tables that were put back below this connection lack the change. A
     * mark that is late because another writer takes the right is true, so nothing is locked.
     */
    private static final String MARK = "WITH held AS (SELECT id FROM tidemark.writer WHERE id = 1 AND holder = ?"
            + " AND sequence >= ?%s)"
            + " UPDATE tidemark.marks SET published = greatest(published, ?) FROM held WHERE marks.id = 1";

    /** The next writer reads the marks once, so only the holder of the right trims. */
    private static final String TRIM = NamedValues.HELD.formatted(" AND sequence >= ?%s")
            + "UPDATE tidemark.marks SET low_water = greatest(low_water, ?) FROM held WHERE marks.id = 1";

    private static final String LOCKED = "55P03";
    private static final long KEPT = -1;

    private final FactTables tables;
    private final OwnConnection relay;
    private final DatabaseState state;
    private final String holder;
    private final OutboxSlots slots;
    private volatile long published;
    private volatile long lowWater;

    PostgresOutbox(FactTables tables, OwnConnection relay, DatabaseState state, String holder, OutboxSlots slots) {
        this.tables = tables;
        this.relay = relay;
        this.state = state;
        this.holder = holder;
        this.slots = slots;
    }

    /** Reads the marks, and what the tables hold; requires that only what is committed counts as published. */
    void load(Connection connection) throws SQLException {
        long[] marks =
                Statements.one(connection, MARKS, row -> new long[] {row.getLong(1), row.getLong(2), row.getLong(3)});
        lowWater = marks[1];
        published = Math.max(lowWater, marks[0]);
        if (published > marks[2]) {
            throw state.end("changes up to sequence " + published + " count as published, but the last commit is "
                    + marks[2] + "; put the database back while no writer runs");
        }
        slots.load(connection);
    }

    @Override
    public List<CommittedChange> readAfter(long sequence, int maxEntries, long maxBytes) {
        long after = Math.max(sequence, lowWater);
        return relay.call(connection -> Statements.all(connection, READ, this::change, after, maxEntries, maxBytes));
    }

    @Override
    public long publishedThrough() {
        return published;
    }

    @Override
    public void markPublished(long sequence) {
        // Before it is stored: a statement that failed may have been done.
        published = sequence;
        // Without waiting for the disk: the next commit that does makes this durable too.
        move(MARK, sequence, false);
    }

    @Override
    public void makeMarksDurable() {
        move(MARK, published, true);
    }

    @Override
    public long lowWaterMark() {
        return lowWater;
    }

    @Override
    public void trim(long throughSequence) {
        if (throughSequence > published) {
            throw new IllegalArgumentException(
                    "Expected to trim no further than " + published + ", but got " + throughSequence);
        }
        if (throughSequence <= lowWater) {
            return;
        }
        OptionalInt slot = slots.obsolete(throughSequence);
        // Durable before a table is emptied, so that reads never begin among changes that are gone.
        move(TRIM, throughSequence, slot.isPresent());
        lowWater = throughSequence;
        slot.ifPresent(this::empty);
    }

    /**
     * Empties a table where that holds only trimmed changes once it is locked. Where another session reads it, such as
     * a dump, the next trim tries again.
     */
    private void empty(int slot) {
        String table = "tidemark.outbox_" + slot;
        long left = relay.transaction(connection -> {
            try (Statement statement = connection.createStatement()) {
                // The next writer has to read from it.
                statement.execute(PostgresServer.IDLE_FOR_SECONDS);
                statement.execute("LOCK TABLE " + table + " IN ACCESS EXCLUSIVE MODE NOWAIT");
                try (ResultSet row = statement.executeQuery("SELECT coalesce(max(sequence), 0) FROM " + table)) {
                    row.next();
                    if (row.getLong(1) > lowWater) {
                        return row.getLong(1);
                    }
                }
                statement.execute("TRUNCATE " + table);
                return 0L;
            } catch (SQLException e) {
                if (!LOCKED.equals(e.getSQLState())) {
                    throw e;
                }
                connection.rollback();
                LOGGER.debug("Table {} is read by another session, and stays for now", table);
                return KEPT;
            }
        });
        if (left != KEPT) {
            slots.holds(slot, left);
        }
    }

    private void move(String mark, long through, boolean durably) {
        String sql = mark.formatted(durably ? "" : NamedValues.UNSYNCED);
        if (relay.call(connection -> Statements.update(connection, sql, holder, through, through)) == 0) {
            throw state.displaced();
        }
    }

    private CommittedChange change(ResultSet row) throws SQLException {
        RowVersion version = new RowVersion(row.getLong(5), row.getLong(1));
        Instant time = Rows.time(row, 6);
        KeyBytes key = KeyBytes.wrap(row.getBytes(7));
        ChangeEvent event = ChangeKinds.event(row.getShort(4), key, version, time, row.getBytes(8));
        String table = tables.byId(row.getInt(2)).name();
        CommittedChange change = new CommittedChange(table, row.getInt(3), event);
        byte[] placements = row.getBytes(9);
        return placements == null ? change : change.placed(Placement.decode(table, placements));
    }
}
