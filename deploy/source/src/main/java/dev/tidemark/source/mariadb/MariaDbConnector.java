package dev.tidemark.source.mariadb;

import java.util.Map;
import java.util.Properties;

import dev.tidemark.source.jdbc.Connector;

/**
 * Connects to MariaDB.
 *
 * @see <a href="https://mariadb.com/kb/en/about-mariadb-connector-j/">settings of the driver</a>
 */
final class MariaDbConnector {
    private MariaDbConnector() {}

    /**
     * A connection.
     *
     * @param settings {@code hostname}, {@code port}, {@code user}, {@code password}, {@code ssl.mode} and
     *     {@code driver.*}, as Debezium names them behind {@code database.}
     */
    static Connector to(Map<String, String> settings) {
        Properties properties = new Properties();
        properties.putAll(Map.of("connectTimeout", "10000", "socketTimeout", "30000"));
        properties.put("user", settings.getOrDefault("user", ""));
        properties.put("password", settings.getOrDefault("password", ""));
        properties.put("sslMode", settings.getOrDefault("ssl.mode", "disable"));
        String url = "jdbc:mariadb://" + settings.getOrDefault("hostname", "127.0.0.1") + ":"
                + settings.getOrDefault("port", "3306") + "/";
        return new Connector(url, properties, settings);
    }
}
