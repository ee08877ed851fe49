package dev.tidemark.source.postgres;

import java.util.Map;
import java.util.Properties;

import dev.tidemark.source.jdbc.Connector;

/**
 * Connects to PostgreSQL.
 *
 * @see <a href="https://jdbc.postgresql.org/documentation/use/">settings of the driver</a>
 */
final class PostgresConnector {
    private PostgresConnector() {}

    /**
     * A connection.
     *
     * @param settings {@code hostname}, {@code port}, {@code dbname}, {@code user}, {@code password}, {@code
     *     sslmode} and {@code driver.*}, as Debezium names them behind {@code database.}
     */
    static Connector to(Map<String, String> settings) {
        Properties properties = new Properties();
        properties.putAll(Map.of("ApplicationName", "tidemark source", "connectTimeout", "10", "socketTimeout", "30"));
        for (String name : new String[] {"user", "password", "sslmode", "sslcert", "sslkey", "sslrootcert"}) {
            String value = settings.get(name);
            if (value != null) {
                properties.put(name, value);
            }
        }
        String url = "jdbc:postgresql://" + settings.getOrDefault("hostname", "127.0.0.1") + ":"
                + settings.getOrDefault("port", "5432") + "/" + settings.getOrDefault("dbname", "");
        return new Connector(url, properties, settings);
    }
}
