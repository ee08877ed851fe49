package dev.tidemark.source;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

import dev.tidemark.source.testkit.MariaDbServer;

/** Tests that a MariaDB is followed as a PostgreSQL is. */
abstract class MariaDbTestCase extends SourceTestCase {

    @Override
    final MariaDbServer server() {
        return MariaDbServer.shared();
    }

    /** The table of the same name in the database of the test. */
    final void following(String table, String... key) {
        writer.following(table, database + "." + table, key);
    }

    @Override
    final String rowsOf(String table, String key) {
        List<String> columns = new ArrayList<>();
        try (var connection = server().connect(database);
                var statement = connection.createStatement();
                var result = statement.executeQuery("SELECT * FROM " + table + " LIMIT 0")) {
            for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                String name = result.getMetaData().getColumnName(i);
                columns.add("'" + name + "', " + name);
            }
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
        return "SELECT " + key + ", JSON_OBJECT(" + String.join(", ", columns) + ") FROM " + table;
    }
}
