package dev.tidemark.source.mariadb;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.row.RowJson;
import dev.tidemark.source.check.MariaDbFacts;
import dev.tidemark.source.feed.BinaryLog;
import dev.tidemark.source.feed.Columns;
import dev.tidemark.source.feed.Database;
import dev.tidemark.source.feed.Position;
import dev.tidemark.source.jdbc.Connector;

/**
 * A MariaDB of version 10.6 or later. In place of a replication slot there is a lock by name, which the server keeps
 * for as long as the connection.
 */
public final class MariaDbDatabase implements Database, BinaryLog, AutoCloseable {
    private static final String COLUMNS = "SELECT COLUMN_NAME, CONCAT_WS(' ', COLUMN_TYPE, CHARACTER_SET_NAME),"
            + " IS_NULLABLE <> 'YES' OR COALESCE(COLUMN_DEFAULT, 'NULL') <> 'NULL' OR GENERATION_EXPRESSION IS NOT NULL,"
            + " ORDINAL_POSITION FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?";

    /** How often columns are read until they stay the same. */
    private static final int READS = 10;

    private static final String ESTIMATE =
            "SELECT TABLE_ROWS FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?";

    /** A part of a file of the binary log, which may be too large to be listed at once. */
    private static final String EVENTS = "SHOW BINLOG EVENTS IN ? FROM ? LIMIT 1000";

    private final Connector connector;
    private final String lock;
    private final String source;
    private final TableName markers;
    private final String mark;

    /**
     * A database.
     *
     * @param settings how to reach it, by Debezium's names without {@code database.}
     * @param source name of the source
     * @param markers name of the table of markers, with its database
     */
    public MariaDbDatabase(Map<String, String> settings, String source, String markers) {
        this.connector = connector(settings);
        this.lock = "tidemark_" + source;
        this.source = source;
        this.markers = TableName.of(markers);
        this.mark = "INSERT INTO " + this.markers.quoted()
                + " (source, content) VALUES (?, ?) ON DUPLICATE KEY UPDATE content = VALUES(content)";
    }

    /**
     * A connection.
     *
     * @param settings {@code hostname}, {@code port}, {@code user}, {@code password}, {@code ssl.mode} and
     *     {@code driver.*}, as Debezium names them behind {@code database.}
     * @see <a href="https://mariadb.com/kb/en/about-mariadb-connector-j/">settings of the driver</a>
     */
    private static Connector connector(Map<String, String> settings) {
        Properties properties = new Properties();
        properties.putAll(Map.of("connectTimeout", "10000", "socketTimeout", "30000"));
        properties.put("user", settings.getOrDefault("user", ""));
        properties.put("password", settings.getOrDefault("password", ""));
        properties.put("sslMode", settings.getOrDefault("ssl.mode", "disable"));
        String url = "jdbc:mariadb://" + settings.getOrDefault("hostname", "127.0.0.1") + ":"
                + settings.getOrDefault("port", "3306") + "/";
        return new Connector(url, properties, settings);
    }

    private Optional<String> text(String sql, Object... parameters) throws DatabaseException {
        return connector.rows(sql, row -> Optional.ofNullable(row.getString(1)), parameters).stream()
                .findFirst()
                .flatMap(one -> one);
    }

    @Override
    public Position.Identity identity() throws DatabaseException {
        return new Position.Identity(
                text("SELECT CONCAT(@@server_id, ' ', COALESCE(@@log_bin_basename, ''))")
                        .orElse(""),
                0);
    }

    @Override
    public Optional<Slot> slot() throws DatabaseException {
        boolean free = text("SELECT GET_LOCK(?, 0)", lock).filter("1"::equals).isPresent();
        return Optional.of(new Slot(0, !free, false, Optional.empty()));
    }

    /** The binary log has all tables. */
    @Override
    public void publish(Collection<String> tables) {}

    /** With a marker in the binary log, there is a transaction that the first one of a table comes after. */
    @Override
    public void prepareSnapshot() throws DatabaseException {
        mark(new byte[0]);
    }

    /** The connector begins a stream at what it has read. */
    @Override
    public boolean canAddTables() {
        return false;
    }

    @Override
    public Optional<String> prepareAdding(Collection<String> all, long base) {
        throw new UnsupportedOperationException("Expected all tables of a MariaDB to be read");
    }

    @Override
    public Optional<String> lost(String offset) throws DatabaseException {
        JsonNode from = parsed(offset);
        String file = from.path("file").asText();
        long position = from.path("pos").asLong();
        Map<String, Long> logs = new HashMap<>();
        connector.each("SHOW BINARY LOGS", row -> logs.put(row.getString(1), row.getLong(2)));
        if (logs.getOrDefault(file, -1L) < position) {
            return Optional.of("the database no longer has its binary log from " + file + ", position " + position);
        }
        Set<String> there =
                gtids(text("SELECT BINLOG_GTID_POS(?, ?)", file, position).orElse(""));
        return there.containsAll(gtids(from.path("gtids").asText()))
                ? Optional.empty()
                : Optional.of("the binary log was begun again: at " + file + ", position " + position + ", it is at "
                        + there + ", and rows came up to " + from.path("gtids").asText());
    }

    @Override
    public End end(String file, long position) throws DatabaseException {
        List<LogEvent> part = part(file, position);
        while (!part.isEmpty()) {
            for (LogEvent event : part) {
                if (event.end().isPresent()) {
                    return event.end().get();
                }
            }
            part = part(file, part.get(part.size() - 1).next());
        }
        // The server has ended before the transaction did.
        return End.ROLLED_BACK;
    }

    private List<LogEvent> part(String file, long position) throws DatabaseException {
        return connector.rows(EVENTS, LogEvent::of, file, position);
    }

    private static Set<String> gtids(String text) {
        return new HashSet<>(Arrays.asList(text.split(",", -1)));
    }

    private static JsonNode parsed(String offset) {
        try {
            return RowJson.mapper().readTree(offset);
        } catch (JsonProcessingException e) {
            return RowJson.mapper().missingNode();
        }
    }

    @Override
    public boolean streamsColumns() {
        return false;
    }

    @Override
    public Columns columns(Collection<String> tables) throws DatabaseException {
        SortedMap<String, Columns.Column> columns = new TreeMap<>();
        for (String table : tables) {
            columns.putAll(columns(table));
        }
        return new Columns(columns, Map.of(), Set.of());
    }

    /**
     * The server reads columns and checks one after the other, and while a table is altered it may show no columns at
     * all. So they count when the columns are the same before and after the checks, which must have them: a column may
     * have gone and come back meanwhile.
     */
    private Map<String, Columns.Column> columns(String table) throws DatabaseException {
        TableName name = TableName.of(table);
        for (int i = 0; i < READS; i++) {
            Map<String, Columns.Column> before = bare(table, name);
            Optional<TableText> text = connector.ask(connection -> TableText.find(connection, name));
            boolean same = text.map(found -> !before.isEmpty() && found.hasAll(before.keySet()))
                    .orElse(before.isEmpty());
            if (same && before.equals(bare(table, name))) {
                Map<String, Columns.Column> columns = new TreeMap<>();
                before.forEach((column, is) ->
                        columns.put(table + "." + column, isJson(column, is, text.orElseThrow()) ? json(is) : is));
                return columns;
            }
        }
        throw new DatabaseException("the columns of " + table + " changed while they were read");
    }

    /** Columns without what their checks say. */
    private Map<String, Columns.Column> bare(String table, TableName name) throws DatabaseException {
        Map<String, Columns.Column> found = new TreeMap<>();
        connector.each(
                COLUMNS,
                row -> found.put(
                        row.getString(1),
                        new Columns.Column(table, row.getString(2), row.getBoolean(3), row.getInt(4))),
                name.database(),
                name.table());
        return found;
    }

    private static boolean isJson(String column, Columns.Column is, TableText text) {
        return is.type().endsWith(" utf8mb4") && text.checksJson(column);
    }

    private static Columns.Column json(Columns.Column text) {
        return new Columns.Column(text.table(), "json", text.filled(), text.place());
    }

    @Override
    public List<String> oddities(Collection<String> tables) throws DatabaseException {
        List<String> found = new ArrayList<>(columnOddities(tables));
        for (String table : tables) {
            TableText text = connector.ask(connection -> TableText.read(connection, TableName.of(table)));
            text.cascades()
                    .forEach(key -> found.add("foreign key " + key + " of " + table
                            + " changes or deletes rows by itself, and the binary log has nothing of that"));
            text.unreadable()
                    .forEach(column -> found.add("column " + table + "." + column
                            + " has a type with which Debezium cannot read the table"));
        }
        return found;
    }

    /** Columns that no row can hold as they are. */
    public List<String> columnOddities(Collection<String> tables) throws DatabaseException {
        return ColumnOddities.of(columns(tables));
    }

    /** What {@code tidemark source check} judges. */
    public MariaDbFacts look(Collection<String> tables) throws DatabaseException {
        return MariaDbLook.look(connector, markers, tables);
    }

    @Override
    public Map<String, Long> estimates(Collection<String> tables) throws DatabaseException {
        Map<String, Long> estimates = new HashMap<>();
        for (String table : tables) {
            TableName name = TableName.of(table);
            connector.each(ESTIMATE, row -> estimates.put(table, row.getLong(1)), name.database(), name.table());
        }
        return estimates;
    }

    @Override
    public void mark(byte[] content) throws DatabaseException {
        connector.ask(connection -> mark(connection, new String(content, StandardCharsets.UTF_8)));
    }

    private boolean mark(Connection connection, String content) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(mark)) {
            statement.setString(1, source);
            statement.setString(2, content);
            return statement.execute();
        }
    }

    @Override
    public void close() {
        connector.close();
    }
}
