package dev.tidemark.writer.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import java.util.concurrent.Semaphore;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;

import dev.tidemark.runtime.GaugeValue;
import dev.tidemark.writer.commit.FactSnapshot;
import dev.tidemark.writer.commit.FactsUnavailableException;

/**
 * Connections for reads. Short reads share a pool. A walk through a table has a separate connection, because it takes
 * long, and the committer begins walks and must not wait for one.
 */
final class Readers implements AutoCloseable {
    private static final int POOL = 10;
    private static final int WALKS = 16;
    private static final long PATIENCE_MILLIS = 3_000;
    private static final long IDLE_MILLIS = 60_000;

    private final PostgresServer server;
    private final DatabaseState state;
    private final HikariDataSource pool;
    private final Semaphore walks = new Semaphore(WALKS);

    Readers(PostgresServer server, DatabaseState state) {
        this.server = server;
        this.state = state;
        HikariConfig config = new HikariConfig();
        config.setPoolName("facts");
        config.setDataSource(server);
        config.setMaximumPoolSize(POOL);
        config.setMinimumIdle(1);
        config.setIdleTimeout(IDLE_MILLIS);
        config.setConnectionTimeout(PATIENCE_MILLIS);
        // Where it has to ask a first connection that breaks, the pool refuses all later ones.
        config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        // The database was opened already. A server that goes away later must not end the process.
        config.setInitializationFailTimeout(-1);
        this.pool = new HikariDataSource(config);
    }

    /** Reads; where a connection of the pool turns out to be lost, once more on another one. */
    <T> T read(OwnConnection.Work<T> work) {
        try {
            return readOnce(work);
        } catch (SQLException e) {
            // The pool itself throws the one that is transient, after all of its patience.
            if (e instanceof SQLTransientConnectionException || !DatabaseState.isConnectionLost(e)) {
                throw state.failure(e);
            }
        }
        try {
            return readOnce(work);
        } catch (SQLException e) {
            throw state.failure(e);
        }
    }

    private <T> T readOnce(OwnConnection.Work<T> work) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return work.on(connection);
        }
    }

    /** Begins a walk, or fails at once where there are as many as may be. */
    FactSnapshot snapshot(FactTable table) {
        if (!walks.tryAcquire()) {
            throw new FactsUnavailableException("expected at most " + WALKS
                    + " tables to be read as a whole at the same time; this read has to be tried again");
        }
        boolean begun = false;
        try {
            Connection connection = server.getConnection();
            try {
                FactSnapshot snapshot = new PostgresSnapshot(connection, table, state, walks::release);
                begun = true;
                return snapshot;
            } finally {
                if (!begun) {
                    connection.close();
                }
            }
        } catch (SQLException e) {
            throw state.failure(e);
        } finally {
            if (!begun) {
                walks.release();
            }
        }
    }

    List<GaugeValue> gauges() {
        HikariPoolMXBean readings = pool.getHikariPoolMXBean();
        return List.of(
                new GaugeValue(
                        "postgres.readers.active",
                        "Connections of the pool that read now.",
                        readings::getActiveConnections),
                new GaugeValue(
                        "postgres.readers.waiting",
                        "Reads that wait for a connection of the pool.",
                        readings::getThreadsAwaitingConnection),
                new GaugeValue(
                        "postgres.walks",
                        "Tables that are read as a whole now.",
                        () -> WALKS - walks.availablePermits()));
    }

    @Override
    public void close() {
        pool.close();
    }
}
