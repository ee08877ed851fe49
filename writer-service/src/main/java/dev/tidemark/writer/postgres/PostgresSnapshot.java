package dev.tidemark.writer.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Iterator;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.writer.commit.CommitPosition;
import dev.tidemark.writer.commit.FactSnapshot;
import dev.tidemark.writer.commit.KeyedRow;
import dev.tidemark.writer.commit.ScanPage;

/** A walk through one table, page by page, in a transaction that sees the database as of its first statement. */
final class PostgresSnapshot implements FactSnapshot {
    private static final Logger LOGGER = LoggerFactory.getLogger(PostgresSnapshot.class);
    private static final int PAGE_ROWS = 2_000;
    private static final long PAGE_BYTES = 2 << 20;
    private static final String POSITION = "SELECT epoch, sequence, committed_at FROM tidemark.writer WHERE id = 1";

    private final Connection connection;
    private final FactTable table;
    private final DatabaseState state;
    private final Runnable release;
    private final CommitPosition point;
    private Iterator<KeyedRow> page = List.<KeyedRow>of().iterator();
    private @Nullable KeyBytes last;
    private boolean more = true;

    /**
     * Begins a walk.
     *
     * @param connection for this walk alone, which closes it
     * @param release run when the walk is closed
     */
    PostgresSnapshot(Connection connection, FactTable table, DatabaseState state, Runnable release)
            throws SQLException {
        this.connection = connection;
        this.table = table;
        this.state = state;
        this.release = release;
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        connection.setReadOnly(true);
        connection.setAutoCommit(false);
        // Without regard to reserved times.
        this.point = Statements.one(connection, POSITION, Rows::position);
    }

    @Override
    public CommitPosition point() {
        return point;
    }

    @Override
    public @Nullable KeyedRow next() {
        if (!page.hasNext() && more) {
            try {
                ScanPage read = RowReads.page(connection, table, last, PAGE_ROWS, PAGE_BYTES);
                page = read.rows().iterator();
                more = read.more();
            } catch (SQLException e) {
                throw state.failure(e);
            }
        }
        if (!page.hasNext()) {
            return null;
        }
        KeyedRow row = page.next();
        last = row.key();
        return row;
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            LOGGER.debug("The connection of a snapshot cannot be closed", e);
        } finally {
            release.run();
        }
    }
}
