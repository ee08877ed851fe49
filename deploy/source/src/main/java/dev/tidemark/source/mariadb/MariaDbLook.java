package dev.tidemark.source.mariadb;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.tidemark.source.check.MariaDbFacts;
import dev.tidemark.source.feed.Database.DatabaseException;
import dev.tidemark.source.jdbc.Connector;
import dev.tidemark.source.jdbc.Rows;

/** Looks at what {@code tidemark source check} judges. */
final class MariaDbLook {
    private static final String SETTINGS = "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('log_bin', 'binlog_format',"
            + " 'binlog_row_image', 'log_bin_compress', 'server_id', 'binlog_expire_logs_seconds',"
            + " 'innodb_flush_log_at_trx_commit', 'sync_binlog')";

    /** {@code name@host} as two texts of SQL. */
    private static final String USER =
            "SELECT CONCAT(QUOTE(SUBSTRING_INDEX(CURRENT_USER(), '@', 1)), '@', QUOTE(SUBSTRING_INDEX(CURRENT_USER(), '@', -1)))";

    private static final String KIND =
            "SELECT TABLE_TYPE FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?";

    private static final String COLUMNS =
            "SELECT COLUMN_NAME FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?";

    private static final String ROOM = "SELECT CHARACTER_MAXIMUM_LENGTH FROM information_schema.COLUMNS"
            + " WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ? AND COLUMN_NAME = 'content'";

    private MariaDbLook() {}

    /**
     * What is there for these tables.
     *
     * @param markers the table of markers
     */
    static MariaDbFacts look(Connector connector, TableName markers, Collection<String> tables)
            throws DatabaseException {
        return connector.ask(connection -> {
            Map<String, String> settings = new HashMap<>();
            Rows.each(connection, SETTINGS, row -> settings.put(row.getString(1), row.getString(2)));
            List<MariaDbFacts.Table> found = new ArrayList<>();
            for (String table : tables) {
                look(connection, table, found);
            }
            return new MariaDbFacts(
                    settings,
                    texts(connection, USER).get(0),
                    texts(connection, "SHOW GRANTS"),
                    markers.quoted(),
                    texts(connection, ROOM, markers.database(), markers.table()).stream()
                            .findFirst()
                            .map(Long::valueOf),
                    unlogged(connection, tables),
                    found);
        });
    }

    private static void look(Connection connection, String table, List<MariaDbFacts.Table> found) throws SQLException {
        TableName name = TableName.of(table);
        for (String kind : texts(connection, KIND, name.database(), name.table())) {
            boolean readable = succeeds(connection, "SELECT * FROM " + name.quoted() + " LIMIT 0");
            TableText text = readable ? TableText.read(connection, name) : new TableText("");
            found.add(new MariaDbFacts.Table(
                    table,
                    name.quoted(),
                    kind,
                    readable,
                    texts(connection, COLUMNS, name.database(), name.table()),
                    text.cascades(),
                    text.unreadable()));
        }
    }

    /** Databases that the binary log leaves out; unknown without the right to ask. */
    private static List<String> unlogged(Connection connection, Collection<String> tables) throws SQLException {
        List<String> unlogged = new ArrayList<>();
        if (succeeds(connection, "SHOW MASTER STATUS")) {
            Rows.each(connection, "SHOW MASTER STATUS", row -> {
                List<String> only = Arrays.asList(row.getString(3).split(",", -1));
                List<String> without = Arrays.asList(row.getString(4).split(",", -1));
                tables.stream()
                        .map(table -> TableName.of(table).database())
                        .filter(name -> without.contains(name) || (!only.contains("") && !only.contains(name)))
                        .forEach(unlogged::add);
            });
        }
        return unlogged;
    }

    private static boolean succeeds(Connection connection, String sql) {
        try {
            Rows.each(connection, sql, row -> {});
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    private static List<String> texts(Connection connection, String sql, Object... parameters) throws SQLException {
        return Rows.of(connection, sql, row -> row.getString(1), parameters);
    }
}
