package dev.tidemark.source.postgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.Properties;

import org.jspecify.annotations.Nullable;

import dev.tidemark.source.feed.Database.DatabaseException;

/**
 * One connection, opened when it is needed and again after a failure. For any thread.
 *
 * @see <a href="https://jdbc.postgresql.org/documentation/use/">settings of the driver</a>
 */
final class Connector implements AutoCloseable {
    private static final String DRIVER = "driver.";

    private final String url;
    private final Properties properties = new Properties();
    private @Nullable Connection open;

    /** Work with a connection. */
    @FunctionalInterface
    interface Work<T> {
        T with(Connection connection) throws SQLException;
    }

    /**
     * A connection.
     *
     * @param settings {@code hostname}, {@code port}, {@code dbname}, {@code user}, {@code password}, {@code
     *     sslmode} and {@code driver.*}, as Debezium names them behind {@code database.}
     */
    Connector(Map<String, String> settings) {
        url = "jdbc:postgresql://" + settings.getOrDefault("hostname", "127.0.0.1") + ":"
                + settings.getOrDefault("port", "5432") + "/" + settings.getOrDefault("dbname", "");
        for (String name : new String[] {"user", "password", "sslmode", "sslcert", "sslkey", "sslrootcert"}) {
            String value = settings.get(name);
            if (value != null) {
                properties.put(name, value);
            }
        }
        settings.forEach((name, value) -> {
            if (name.startsWith(DRIVER)) {
                properties.put(name.substring(DRIVER.length()), value);
            }
        });
        properties.putIfAbsent("ApplicationName", "tidemark source");
        properties.putIfAbsent("connectTimeout", "10");
        properties.putIfAbsent("socketTimeout", "30");
    }

    synchronized <T> T ask(Work<T> work) throws DatabaseException {
        try {
            Connection connection = open;
            if (connection == null || connection.isClosed()) {
                connection = DriverManager.getConnection(url, properties);
                open = connection;
            }
            return work.with(connection);
        } catch (SQLException e) {
            close();
            throw new DatabaseException(
                    "the database at " + url.substring("jdbc:".length()) + ": " + e.getMessage(), e);
        }
    }

    @Override
    public synchronized void close() {
        Connection connection = open;
        open = null;
        if (connection != null) {
            try {
                connection.close();
            } catch (SQLException e) {
                // It is of no use any more, and another one is opened.
                properties.putIfAbsent("ApplicationName", "tidemark source");
            }
        }
    }
}
