package dev.tidemark.writer.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether a server keeps what it acknowledges, and which copy of the database it has. */
final class ServerCheck {
    private static final Logger LOGGER = LoggerFactory.getLogger(ServerCheck.class);
    private static final int OLDEST = 14;
    private static final int MAJOR = 10_000;
    private static final String OFF = "off";
    static final String SETTINGS = "SELECT current_setting('server_version_num')::int,"
            + " current_setting('server_encoding'), pg_is_in_recovery(), current_setting('fsync'),"
            + " current_setting('full_page_writes'), current_setting('synchronous_commit'),"
            + " current_setting('synchronous_standby_names')";

    /**
     * The control file knows the timeline of the last checkpoint, which is the one before while a server that was just
     * promoted makes its first. The name of a WAL file has the timeline that is written to.
     */
    static final String IDENTITY = "SELECT system_identifier::text,"
            + " ('x' || lpad(left(pg_walfile_name(pg_current_wal_lsn()), 8), 16, '0'))::bit(64)::bigint"
            + " FROM pg_control_system()";

    private ServerCheck() {}

    /** Why no facts may be written to that server; empty where they may. */
    static Optional<String> refusal(Connection connection) throws SQLException {
        return Statements.one(connection, SETTINGS, ServerCheck::refusal);
    }

    private static Optional<String> refusal(ResultSet found) throws SQLException {
        if (found.getInt(1) < OLDEST * MAJOR) {
            return Optional.of("expected PostgreSQL " + OLDEST + " or newer, but the server has version "
                    + found.getInt(1) / MAJOR);
        }
        if (!found.getString(2).equals("UTF8")) {
            return Optional.of("expected a database with the encoding UTF8, but it has " + found.getString(2)
                    + ": create it with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0");
        }
        if (found.getBoolean(3)) {
            return Optional.of("expected a server that takes writes, but it is a standby: name the primary in"
                    + " facts.url, or all of them with targetServerType=primary");
        }
        if (found.getString(4).equals(OFF)) {
            return Optional.of("expected fsync=on, but it is off, so a crash can lose or damage acknowledged"
                    + " commits: set it in postgresql.conf and reload the server");
        }
        if (found.getString(5).equals(OFF)) {
            return Optional.of("expected full_page_writes=on, but it is off, so a power cut can damage pages: set"
                    + " it in postgresql.conf and reload the server");
        }
        if (found.getString(6).equals(OFF)) {
            return Optional.of("expected synchronous_commit=on, but it is off, so a crash can lose acknowledged"
                    + " commits: set it for the server, or with ALTER ROLE … SET synchronous_commit = on");
        }
        return Optional.empty();
    }

    /** Logs what standbys mean for an acknowledged commit. */
    static void logStandbys(Connection connection) throws SQLException {
        List<String> found = Statements.one(connection, SETTINGS, row -> List.of(row.getString(6), row.getString(7)));
        String names = found.get(1);
        if (names.isBlank()) {
            LOGGER.warn("synchronous_standby_names is empty: a commit is acknowledged once the primary has synced"
                    + " it, and a fail-over to a standby can lose acknowledged commits. A new epoch then begins");
        } else {
            LOGGER.info(
                    "synchronous_standby_names is {} with synchronous_commit {}: a commit waits for these standbys,"
                            + " and writes stop while too few of them run",
                    names,
                    found.get(0));
        }
    }

    /** Which copy of the database this is; unknown where the server does not allow to read that. */
    static CopyIdentity identity(Connection connection) throws SQLException {
        try {
            return Statements.one(
                    connection, IDENTITY, found -> new CopyIdentity(found.getString(1), found.getLong(2)));
        } catch (SQLException e) {
            if (connection.isClosed() || String.valueOf(e.getSQLState()).startsWith("08")) {
                throw e;
            }
            LOGGER.debug("The identity of the server cannot be read", e);
            return CopyIdentity.UNKNOWN;
        }
    }
}
