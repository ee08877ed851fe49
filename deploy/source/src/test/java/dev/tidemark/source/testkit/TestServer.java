package dev.tidemark.source.testkit;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;

/** A server of a database as a child process, on a free port of the loopback interface. */
public interface TestServer {
    /** Name of a new database. */
    String newDatabase();

    /** Drops a database, with what reads from it. */
    void dropDatabase(String name);

    /** Settings of a source that follows a database. */
    Map<String, String> settings(String database);

    Connection connect(String database) throws SQLException;

    /** A table of a database, as a catalog names it. */
    String table(String database, String name);

    /** A query for the keys and rows of a table, both as texts of JSON. */
    String rowsOf(String database, String table, String key);

    /** What rows with the numbers of a range are selected from, in a column {@code seq}. */
    String numbers(int from, int to);

    /** Carries out statements, each on its own. */
    default void sql(String database, String... statements) {
        try (Connection connection = connect(database);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** The number that a query gives; 0 for no row. */
    default long number(String database, String sql) {
        try (Connection connection = connect(database);
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            return result.next() ? result.getLong(1) : 0;
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
