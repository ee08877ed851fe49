package dev.tidemark.writer.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.runtime.BoundedWait;

/** The connection with which a writer begins: both may have been started at the same time, after a power cut say. */
final class FirstConnection {
    private static final Logger LOGGER = LoggerFactory.getLogger(FirstConnection.class);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration STEP = Duration.ofMillis(250);

    /** Nothing listens there, or the connection broke. */
    private static final String CONNECTION_CLASS = "08";

    /** The server starts, stops or recovers, or has as many connections as it may have. */
    private static final Set<String> PASSING = Set.of("57P01", "57P02", "57P03", "53300");

    private FirstConnection() {}

    /**
     * Connects to a server, and waits a minute at most for one that is away.
     *
     * @throws SQLException when it is away for longer, or refuses for another reason
     */
    static Connection of(DataSource server) throws SQLException {
        return of(server, PATIENCE);
    }

    static Connection of(DataSource server, Duration patience) throws SQLException {
        try {
            return server.getConnection();
        } catch (SQLException first) {
            if (!isPassing(first)) {
                throw first;
            }
            LOGGER.warn("Waiting for the database of the fact tables: {}", first.getMessage());
        }
        Attempts attempts = new Attempts(server);
        try {
            BoundedWait.until(attempts::isOver, patience, STEP);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return attempts.connection();
    }

    private static boolean isPassing(SQLException failure) {
        String state = String.valueOf(failure.getSQLState());
        return state.startsWith(CONNECTION_CLASS) || PASSING.contains(state);
    }

    /** One attempt after the other. For one thread. */
    private static final class Attempts {
        private final DataSource server;
        private @Nullable Connection made;
        private SQLException last = new SQLException("interrupted while the database of the fact tables was away");

        Attempts(DataSource server) {
            this.server = server;
        }

        /** Tries once more; whether trying again makes no sense. */
        boolean isOver() {
            try {
                made = server.getConnection();
                return true;
            } catch (SQLException e) {
                last = e;
                return !isPassing(e);
            }
        }

        Connection connection() throws SQLException {
            Connection connection = made;
            if (connection == null) {
                throw last;
            }
            return connection;
        }
    }
}
