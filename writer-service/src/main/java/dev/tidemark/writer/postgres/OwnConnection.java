package dev.tidemark.writer.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection for one part of the writer. It is made when it is first needed, and made again after a failure. For one
 * call at a time.
 *
 * <p>The server may go on with a statement whose connection is lost for the client. Before another connection is used,
 * the server ends the one before, so that no earlier statement takes effect after a later one.
 */
final class OwnConnection implements AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(OwnConnection.class);

    static final String IDENTIFY = "SELECT pid, backend_start::text FROM pg_stat_activity WHERE pid = pg_backend_pid()";

    /** The server waits for the end of the other process, for at most the given milliseconds. */
    static final String END = "SELECT pg_terminate_backend(pid, 2000) FROM pg_stat_activity WHERE pid = ? AND"
            + " backend_start::text = ?";

    private final DataSource server;
    private final DatabaseState state;
    private @Nullable Connection open;
    private @Nullable Backend backend;

    /** The process of the server behind a connection; another one may have its number later. */
    private record Backend(long pid, String began) {}

    /** What is done on a connection. */
    @FunctionalInterface
    interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    OwnConnection(DataSource server, DatabaseState state) {
        this.server = server;
        this.state = state;
    }

    /**
     * Does some work, which may be done twice: where a connection of before turns out to be lost, once more on a new
     * one. A failure closes the connection.
     */
    synchronized <T> T call(Work<T> work) {
        boolean reused = isOpen();
        try {
            return work.on(connection());
        } catch (SQLException e) {
            drop();
            if (reused && DatabaseState.isConnectionLost(e)) {
                return call(work);
            }
            throw state.failure(e);
        }
    }

    /** Does some work in one transaction: all of it, or nothing. */
    <T> T transaction(Work<T> work) {
        return call(connection -> {
            connection.setAutoCommit(false);
            T result = work.on(connection);
            connection.commit();
            connection.setAutoCommit(true);
            return result;
        });
    }

    /** Does some work on the open connection, or on a new one; the caller handles failures. */
    synchronized <T> T raw(Work<T> work) throws SQLException {
        return work.on(connection());
    }

    /** Whether a connection is open, as far as the client knows. */
    synchronized boolean isOpen() {
        return open != null;
    }

    /** Closes the connection, so that the next call makes one. */
    synchronized void drop() {
        Connection closing = open;
        open = null;
        if (closing != null) {
            try {
                closing.close();
            } catch (SQLException e) {
                LOGGER.debug("A connection that failed cannot be closed", e);
            }
        }
    }

    @Override
    public void close() {
        drop();
    }

    private Connection connection() throws SQLException {
        Connection current = open;
        if (current == null) {
            current = server.getConnection();
            open = current;
            Backend before = backend;
            if (before != null) {
                end(before, current);
            }
            backend = identify(current);
        }
        return current;
    }

    private static void end(Backend lost, Connection connection) throws SQLException {
        boolean ended = Statements.first(connection, END, row -> row.getBoolean(1), lost.pid(), lost.began())
                .orElse(true);
        if (!ended) {
            throw new SQLException("the server does not end the connection before, which may be at work still");
        }
    }

    private static Backend identify(Connection connection) throws SQLException {
        return Statements.first(connection, IDENTIFY, row -> new Backend(row.getLong(1), row.getString(2)))
                .orElseThrow(() -> new SQLException("expected the connection among those of the server"));
    }
}
