package dev.tidemark.source.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Properties;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.source.feed.Database.DatabaseException;

/** One connection, opened when it is needed and again after a failure. For any thread. */
public final class Connector implements AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(Connector.class);
    private static final String DRIVER = "driver.";

    private final String url;
    private final Properties properties;
    private @Nullable Connection open;

    /** Work with a connection. */
    @FunctionalInterface
    public interface Work<T> {
        T with(Connection connection) throws SQLException;
    }

    /**
     * A connection.
     *
     * @param url of JDBC
     * @param properties of the driver that are not among the settings
     * @param settings as Debezium names them behind {@code database.}; those below {@code driver.} are the driver's
     */
    public Connector(String url, Properties properties, Map<String, String> settings) {
        this.url = url;
        this.properties = properties;
        settings.forEach((name, value) -> {
            if (name.startsWith(DRIVER)) {
                properties.put(name.substring(DRIVER.length()), value);
            }
        });
    }

    /** Does some work, and closes the connection when it fails. */
    public synchronized <T> T ask(Work<T> work) throws DatabaseException {
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

    /** Reads all rows of a query with these parameters. */
    public void each(String sql, Rows.Reader reader, Object... parameters) throws DatabaseException {
        ask(connection -> {
            Rows.each(connection, sql, reader, parameters);
            return true;
        });
    }

    /** What is made of all rows of a query with these parameters, in their order. */
    public <T> List<T> rows(String sql, Rows.Mapper<T> mapper, Object... parameters) throws DatabaseException {
        return ask(connection -> Rows.of(connection, sql, mapper, parameters));
    }

    @Override
    public synchronized void close() {
        Connection connection = open;
        open = null;
        if (connection != null) {
            try {
                connection.close();
            } catch (SQLException e) {
                LOGGER.debug("A connection of no more use could not be closed", e);
            }
        }
    }
}
