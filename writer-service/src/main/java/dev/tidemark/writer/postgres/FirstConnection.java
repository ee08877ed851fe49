package dev.tidemark.writer.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.row.BadInputException;
import dev.tidemark.runtime.BoundedWait;

/** The connection with which a writer begins: both may have been started at the same time, after a power cut say. */
final class FirstConnection {
    private static final Logger LOGGER = LoggerFactory.getLogger(FirstConnection.class);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration STEP = Duration.ofMillis(250);

    /** Nothing listens there, or the connection broke. */
    private static final String CONNECTION_CLASS = "08";

    /**
     * The server starts, stops or recovers, or has as many connections as it may have; or it gave a transaction up
     * because this process stood still.
     */
    private static final Set<String> PASSING = Set.of("57P01", "57P02", "57P03", "53300", "25P03");

    private FirstConnection() {}

    /** What a writer does first. It may be done again from its beginning, even after it was done whole. */
    @FunctionalInterface
    interface Work {
        void on(Connection connection) throws SQLException, BadInputException;
    }

    /**
     * Does some work on a connection, and begins again for a minute at most where the server is away, or goes away.
     *
     * @throws SQLException when it is away for longer, or refuses for another reason
     * @throws BadInputException as the work does
     */
    static void use(DataSource server, Work work) throws SQLException, BadInputException {
        use(server, PATIENCE, work);
    }

    static void use(DataSource server, Duration patience, Work work) throws SQLException, BadInputException {
        Attempts attempts = new Attempts(server, work);
        try {
            BoundedWait.until(attempts::isOver, patience, STEP);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        attempts.requireDone();
    }

    private static boolean isPassing(SQLException failure) {
        String state = String.valueOf(failure.getSQLState());
        return state.startsWith(CONNECTION_CLASS) || PASSING.contains(state);
    }

    /** One attempt after the other. For one thread. */
    private static final class Attempts {
        private final DataSource server;
        private final Work work;
        private @Nullable SQLException failed;
        private @Nullable BadInputException refused;

        Attempts(DataSource server, Work work) {
            this.server = server;
            this.work = work;
        }

        /** Tries once more; whether trying again makes no sense. */
        boolean isOver() {
            boolean first = failed == null;
            failed = null;
            try (Connection connection = server.getConnection()) {
                work.on(connection);
                return true;
            } catch (BadInputException e) {
                refused = e;
                return true;
            } catch (SQLException e) {
                failed = e;
                if (!isPassing(e)) {
                    return true;
                }
                if (first) {
                    LOGGER.warn("Waiting for the database of the fact tables: {}", e.getMessage());
                }
                return false;
            }
        }

        void requireDone() throws SQLException, BadInputException {
            if (failed != null) {
                throw failed;
            }
            if (refused != null) {
                throw refused;
            }
        }
    }
}
