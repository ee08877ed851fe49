package dev.tidemark.writer.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
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
        List<FactTable> found = Statements.all(connection, READ, FactTables::table);
        byName = found.stream().collect(Collectors.toMap(FactTable::name, Function.identity()));
        byId = new TreeMap<>(found.stream().collect(Collectors.toMap(FactTable::id, Function.identity())));
    }

    /** Compares the tables with the catalog, and adds those that are new. */
    void add(Connection connection, Catalog catalog) throws SQLException, CatalogDisagreesException {
        load(connection);
        CatalogDisagreesException.requireSameKeys(definitions(), catalog);
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
        for (TableDefinition table : stored.tables()) {
            Statements.update(connection, KEEP, table.partitions(), table.name(), table.partitions());
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
        Statements.update(connection, CREATE.formatted(table.relation()));
        ArrayNode key = RowJson.mapper().createArrayNode();
        table.definition().primaryKey().forEach(field -> key.add(field.toString()));
        Statements.update(
                connection,
                ADD,
                table.id(),
                table.name(),
                table.relation(),
                table.view(),
                table.definition().partitions(),
                key.toString());
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
