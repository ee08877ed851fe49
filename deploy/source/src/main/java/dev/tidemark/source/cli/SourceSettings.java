package dev.tidemark.source.cli;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigException;

import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.settings.Durations;
import dev.tidemark.settings.SecretFile;

/**
 * Settings of a source.
 *
 * @param name of the source, as the catalog has it
 * @param token file of the token for the writer
 * @param ca file of the certificates that sign the writer's
 * @param snapshotOnGap whether tables are read again when changes were lost
 * @param markerInterval between two markers, so about how stale rows are said to be
 * @param markerTable where MariaDB has the markers
 * @param connector settings of Debezium's connector, by its names
 */
public record SourceSettings(
        String name,
        URI writer,
        Optional<Path> token,
        Optional<Path> ca,
        boolean snapshotOnGap,
        Duration markerInterval,
        String markerTable,
        Map<String, String> connector) {
    /** Settings below these are the connector's. */
    static final List<String> PASSED =
            List.of("connector.", "database.", "slot.", "publication.", "snapshot.", "table.", "schema.", "column.");

    private static final String CONNECTOR = "connector.";
    private static final String CONNECTOR_CLASS = "connector.class";
    private static final String POSTGRES = "io.debezium.connector.postgresql.PostgresConnector";
    private static final String MARIADB = "io.debezium.connector.mariadb.MariaDbConnector";
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
                        "Of MariaDB: the table, with its database, that the writer's clock is written to.");
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
            if (PASSED.stream().anyMatch(given.getKey()::startsWith)) {
                pass(given.getKey(), String.valueOf(given.getValue()), connector);
            }
        }
        complete(name, connector);
        return new SourceSettings(
                name,
                URI.create(values.getString("writer.url")),
                path(values, "writer.token.file"),
                path(values, "tls.ca"),
                values.getString("on.gap").equals("snapshot"),
                Durations.of(values, "marker.interval"),
                values.getString("marker.table"),
                connector);
    }

    private static void complete(String name, Map<String, String> connector) throws BadSettingsException {
        connector.putIfAbsent(CONNECTOR_CLASS, POSTGRES);
        String type = String.valueOf(connector.get(CONNECTOR_CLASS));
        if (!type.equals(POSTGRES) && !type.equals(MARIADB)) {
            throw new BadSettingsException("expected " + POSTGRES + " or " + MARIADB + " as connector.class, but got "
                    + type + "; other databases are not supported");
        }
        boolean postgres = type.equals(POSTGRES);
        connector.putIfAbsent("database.port", postgres ? "5432" : "3306");
        if (postgres) {
            connector.putIfAbsent(SLOT, "tidemark_" + name);
            connector.putIfAbsent(PUBLICATION, "tidemark_" + name);
        }
        for (String required : List.of("database.hostname", "database.dbname", "database.user")) {
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

    /** The connector's settings of the database, without their prefix. */
    public Map<String, String> database() {
        Map<String, String> database = new TreeMap<>();
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
