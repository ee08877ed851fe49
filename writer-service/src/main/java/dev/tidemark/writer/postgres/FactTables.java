package dev.tidemark.writer.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.row.FieldPath;
import dev.tidemark.row.RowJson;
import dev.tidemark.writer.database.CatalogDisagreesException;

/** The tables that the database has rows of. For any thread. */
final class FactTables {
    private static final String READ =
            "SELECT id, name, relation, view, partitions, primary_key FROM tidemark.tables ORDER BY id";
    private static final String ADD = "INSERT INTO tidemark.tables"
            + " (id, name, relation, view, partitions, primary_key, columns) VALUES (?, ?, ?, ?, ?, ?::json, '{}')";

    private static final String KEEP = "UPDATE tidemark.tables SET partitions = ? WHERE name = ? AND partitions <> ?";

    /** Most changes of a row leave its size about as it was, and need no new entry of an index. */
    private static final String CREATE = "CREATE TABLE %s (pk bytea PRIMARY KEY, epoch bigint NOT NULL,"
            + " sequence bigint NOT NULL, committed_at timestamptz NOT NULL, bytes integer NOT NULL, row json NOT NULL)"
            + " WITH (fillfactor = 90)";

    private volatile Map<Integer, FactTable> byId = Map.of();
    private volatile Map<String, FactTable> byName = Map.of();

    /** Reads the tables that the database has. */
    void load(Connection connection) throws SQLException {
        Map<Integer, FactTable> found = new TreeMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(READ)) {
            while (row.next()) {
                found.put(row.getInt(1), table(row));
            }
        }
        byName = found.values().stream().collect(Collectors.toMap(FactTable::name, Function.identity()));
        byId = found;
    }

    /** Compares the tables with the catalog, and adds those that are new. */
    void add(Connection connection, Catalog catalog) throws SQLException, CatalogDisagreesException {
        load(connection);
        for (TableDefinition table : catalog.tables()) {
            FactTable known = byName.get(table.name());
            if (known != null) {
                CatalogDisagreesException.requireSameKey(known.definition(), table);
            }
        }
        int next = byId.keySet().stream().mapToInt(id -> id).max().orElse(0);
        for (TableDefinition table : catalog.tables()) {
            if (!byName.containsKey(table.name())) {
                create(connection, FactTable.of(++next, table));
            }
        }
        load(connection);
    }

    /** Takes over the partitions that tables began with, for those that the database has. */
    void keepPartitions(Connection connection, Catalog stored) throws SQLException {
        try (PreparedStatement keep = connection.prepareStatement(KEEP)) {
            for (TableDefinition table : stored.tables()) {
                keep.setInt(1, table.partitions());
                keep.setString(2, table.name());
                keep.setInt(3, table.partitions());
                keep.executeUpdate();
            }
        }
        load(connection);
    }

    boolean has(String name) {
        return byName.containsKey(name);
    }

    FactTable byName(String name) {
        FactTable table = byName.get(name);
        if (table == null) {
            throw new IllegalArgumentException("Expected a table of " + byName.keySet() + ", but got " + name);
        }
        return table;
    }

    FactTable byId(int id) {
        FactTable table = byId.get(id);
        if (table == null) {
            throw new IllegalStateException("Expected a table number of " + byId.keySet() + ", but found " + id);
        }
        return table;
    }

    List<TableDefinition> definitions() {
        return byId.values().stream().map(FactTable::definition).toList();
    }

    private static void create(Connection connection, FactTable table) throws SQLException {
        try (Statement create = connection.createStatement();
                PreparedStatement add = connection.prepareStatement(ADD)) {
            create.execute(CREATE.formatted(table.relation()));
            ArrayNode key = RowJson.mapper().createArrayNode();
            table.definition().primaryKey().forEach(field -> key.add(field.toString()));
            add.setInt(1, table.id());
            add.setString(2, table.name());
            add.setString(3, table.relation());
            add.setString(4, table.view());
            add.setInt(5, table.definition().partitions());
            add.setString(6, key.toString());
            add.executeUpdate();
        }
    }

    private static FactTable table(ResultSet row) throws SQLException {
        List<FieldPath> key = new ArrayList<>();
        ObjectNode json = Rows.json("{\"key\":" + row.getString(6) + "}");
        for (JsonNode field : json.path("key")) {
            key.add(FieldPath.parse(field.asText()));
        }
        return new FactTable(
                row.getInt(1),
                row.getString(3),
                row.getString(4),
                new TableDefinition(row.getString(2), key, row.getInt(5), List.of()));
    }
}
