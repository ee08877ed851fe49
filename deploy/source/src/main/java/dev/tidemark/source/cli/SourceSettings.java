package dev.tidemark.source.cli;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigException;

import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.settings.Durations;
import dev.tidemark.settings.KafkaSettings;
import dev.tidemark.settings.SecretFile;
import dev.tidemark.settings.SettingsReader;

/**
 * Settings of a source.
 *
 * @param name of the source, as the catalog has it
 * @param token file of the token for the writer
 * @param ca file of the certificates that sign the writer's
 * @param snapshotOnGap whether tables are read again when changes were lost
 * @param markerInterval between two markers, so about how stale rows are said to be
 * @param markerTable where MariaDB, and topics without messages, have the markers
 * @param connector settings of Debezium's connector, by its names
 * @param values all as they were given, for parts that read their own
 */
public record SourceSettings(
        String name,
        URI writer,
        Optional<Path> token,
        Optional<Path> ca,
        boolean snapshotOnGap,
        Duration markerInterval,
        String markerTable,
        Map<String, String> connector,
        AbstractConfig values) {
    /** Settings below these are the connector's. */
    private static final List<String> OF_CONNECTOR =
            List.of("connector.", "database.", "slot.", "publication.", "snapshot.", "table.", "schema.", "column.");

    /** Settings below these are passed on, to the connector or to the Kafka clients. */
    static final List<String> PASSED = Stream.concat(OF_CONNECTOR.stream(), Stream.of(SettingsReader.KAFKA_PREFIX))
            .toList();

    private static final String BROKERS = "kafka.bootstrap.servers";
    private static final String TOPICS = "topics";
    private static final String EXACTLY_ONCE = "topics.exactly.once";

    private static final String CONNECTOR = "connector.";
    private static final String CONNECTOR_CLASS = "connector.class";
    private static final String POSTGRES = "io.debezium.connector.postgresql.PostgresConnector";
    private static final String MARIADB = "io.debezium.connector.mariadb.MariaDbConnector";
    private static final String HOST = "database.hostname";
    private static final String DATABASE = "database.";
    private static final String FILE = ".password.file";
    private static final String SLOT = "slot.name";
    private static final String PUBLICATION = "publication.name";

    public SourceSettings {
        connector = Map.copyOf(connector);
    }

    /** Without the connector's, which may hold a password. */
    @Override
    public String toString() {
        return "SourceSettings[name=" + name + ", writer=" + writer + "]";
    }

    /** Keys, their defaults and meaning. */
    public static ConfigDef definition() {
        return new ConfigDef()
                .define(
                        "name",
                        ConfigDef.Type.STRING,
                        ConfigDef.NO_DEFAULT_VALUE,
                        ConfigDef.LambdaValidator.with(
                                (key, value) -> requireName(String.valueOf(value)),
                                () -> "letters, digits and _, beginning with a letter"),
                        Importance.HIGH,
                        "Name of the source, as tables of the catalog have it in source.name.")
                .define(
                        "writer.url",
                        ConfigDef.Type.STRING,
                        "http://127.0.0.1:8081",
                        Importance.HIGH,
                        "Where the writer is.")
                .define(
                        "writer.token.file",
                        ConfigDef.Type.STRING,
                        "",
                        Importance.MEDIUM,
                        "The token that is shown to the writer, alone in its file (chmod 600). It needs the scope write of"
                                + " the tables.")
                .define(
                        "tls.ca",
                        ConfigDef.Type.STRING,
                        "",
                        Importance.MEDIUM,
                        "Certificates that sign the writer's, PEM. None: those that Java trusts.")
                .define(
                        "on.gap",
                        ConfigDef.Type.STRING,
                        "refuse",
                        ConfigDef.ValidString.in("refuse", "snapshot"),
                        Importance.MEDIUM,
                        "What to do when changes of the database are lost, as when its replication slot is gone: end and say"
                                + " so, or read the tables again and delete the rows that are gone.")
                .define(
                        "marker.interval",
                        ConfigDef.Type.STRING,
                        "500ms",
                        Durations.within("100ms", "1m"),
                        Importance.LOW,
                        "How often the writer's clock is put into the stream of the database. Rows are said to be at least"
                                + " about that old.")
                .define(
                        "marker.table",
                        ConfigDef.Type.STRING,
                        "tidemark.markers",
                        Importance.LOW,
                        "Of MariaDB and of topics: the table, with its database or schema, that the writer's clock is"
                                + " written to.")
                .define(
                        TOPICS,
                        ConfigDef.Type.LIST,
                        "",
                        Importance.MEDIUM,
                        "Topics of Debezium, comma-separated, to read in place of the database: JSON, all of one connector.")
                .define(
                        EXACTLY_ONCE,
                        ConfigDef.Type.BOOLEAN,
                        false,
                        Importance.MEDIUM,
                        "true: the connector writes the topics in transactions, by exactly.once.source.support of Kafka"
                                + " Connect. Only then are markers in the topics a proof, and freshness is known.")
                .define(
                        BROKERS,
                        ConfigDef.Type.STRING,
                        "127.0.0.1:9092",
                        Importance.MEDIUM,
                        "Kafka brokers of the topics. Every key below kafka. goes to the Kafka clients without that"
                                + " prefix.");
    }

    private static void requireName(String value) {
        if (!value.matches("[a-z][a-z0-9_]{0,62}")) {
            throw new ConfigException(
                    "name: expected letters, digits and _, beginning with a letter, but got " + value);
        }
    }

    /**
     * The settings in the given values.
     *
     * @throws BadSettingsException when a file cannot be read, or they do not fit together
     */
    public static SourceSettings of(AbstractConfig values) throws BadSettingsException {
        String name = values.getString("name");
        Map<String, String> connector = new TreeMap<>();
        for (Map.Entry<String, Object> given : values.originals().entrySet()) {
            if (OF_CONNECTOR.stream().anyMatch(given.getKey()::startsWith)) {
                pass(given.getKey(), String.valueOf(given.getValue()), connector);
            }
        }
        complete(name, connector);
        if (values.getList(TOPICS).isEmpty() || connector.containsKey(HOST)) {
            requireDatabase(connector);
        }
        return new SourceSettings(
                name,
                URI.create(values.getString("writer.url")),
                path(values, "writer.token.file"),
                path(values, "tls.ca"),
                values.getString("on.gap").equals("snapshot"),
                Durations.of(values, "marker.interval"),
                values.getString("marker.table"),
                connector,
                values);
    }

    private static void complete(String name, Map<String, String> connector) throws BadSettingsException {
        connector.putIfAbsent(CONNECTOR_CLASS, POSTGRES);
        String type = String.valueOf(connector.get(CONNECTOR_CLASS));
        if (!type.equals(POSTGRES) && !type.equals(MARIADB)) {
            throw new BadSettingsException("expected " + POSTGRES + " or " + MARIADB + " as connector.class, but got "
                    + type + "; other databases are not supported");
        }
        if (type.equals(POSTGRES)) {
            connector.putIfAbsent(SLOT, "tidemark_" + name);
            connector.putIfAbsent(PUBLICATION, "tidemark_" + name);
        }
    }

    private static void requireDatabase(Map<String, String> connector) throws BadSettingsException {
        boolean postgres = POSTGRES.equals(connector.get(CONNECTOR_CLASS));
        connector.putIfAbsent("database.port", postgres ? "5432" : "3306");
        for (String required : List.of(HOST, "database.dbname", "database.user")) {
            if (!connector.containsKey(required) && (postgres || !required.equals("database.dbname"))) {
                throw new BadSettingsException("expected the setting " + required);
            }
        }
    }

    private static void pass(String key, String value, Map<String, String> connector) throws BadSettingsException {
        boolean prefixed = key.startsWith(CONNECTOR) && !key.equals(CONNECTOR_CLASS);
        String name = prefixed ? key.substring(CONNECTOR.length()) : key;
        if (name.endsWith(FILE)) {
            String secret = new String(SecretFile.read(Path.of(value)), StandardCharsets.UTF_8).strip();
            connector.put(name.substring(0, name.length() - ".file".length()), secret);
        } else {
            connector.put(name, value);
        }
    }

    private static Optional<Path> path(AbstractConfig values, String key) {
        return Optional.of(values.getString(key))
                .filter(text -> !text.isBlank())
                .map(Path::of);
    }

    /** Names of the topics to read in place of a database; none to follow the database. */
    public List<String> topics() {
        return values.getList(TOPICS);
    }

    /** Whether the topics are written in transactions. */
    public boolean exactlyOnce() {
        return values.getBoolean(EXACTLY_ONCE);
    }

    /**
     * Settings of the Kafka clients.
     *
     * @throws BadSettingsException when one cannot be used
     */
    public Map<String, Object> kafka() throws BadSettingsException {
        return KafkaSettings.of(values, BROKERS);
    }

    /**
     * The connector's settings of the database, without their prefix; none where topics alone are read. Without a host
     * there is no database: a password may be in the environment all the same.
     */
    public Map<String, String> database() {
        Map<String, String> database = new TreeMap<>();
        if (!connector.containsKey(HOST)) {
            return database;
        }
        connector.forEach((key, value) -> {
            if (key.startsWith(DATABASE)) {
                database.put(key.substring(DATABASE.length()), value);
            }
        });
        return database;
    }

    /** Whether the database is a MariaDB; otherwise it is a PostgreSQL. */
    public boolean isMariaDb() {
        return MARIADB.equals(connector.get(CONNECTOR_CLASS));
    }

    /** Name of the replication slot. */
    public String slot() {
        return String.valueOf(connector.get(SLOT));
    }

    /** Name of the publication. */
    public String publication() {
        return String.valueOf(connector.get(PUBLICATION));
    }
}
