package dev.tidemark.writer.rocks;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;
import dev.tidemark.rocks.RocksBatch;
import dev.tidemark.rocks.RocksDatabase;
import dev.tidemark.rocks.RocksScan;
import dev.tidemark.rocks.RocksTable;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.FieldPath;
import dev.tidemark.row.RowJson;
import dev.tidemark.writer.database.CatalogDisagreesException;

/**
 * The tables that the database has rows of, each with a number in place of its name. What decides where a row is, its
 * key and the number of partitions, is fixed when a table is first seen.
 */
final class TableRegistry {
    private final Map<String, StoredTable> byName = new HashMap<>();
    private final Map<Integer, StoredTable> byId = new HashMap<>();

    private TableRegistry() {}

    /** Reads the tables known, compares them with the catalog, adds those that are new. */
    static TableRegistry open(RocksDatabase database, RocksTable meta, Catalog catalog)
            throws CatalogDisagreesException {
        TableRegistry registry = new TableRegistry();
        KeyRange range = KeyRange.ofPrefix(KeyBytes.wrap(MetaKeys.key(MetaKeys.TABLE_PREFIX)));
        try (RocksScan scan = database.scan(meta, range, Order.ASC)) {
            for (; scan.isValid(); scan.next()) {
                String key = new String(scan.key(), StandardCharsets.UTF_8);
                registry.add(read(key.substring(MetaKeys.TABLE_PREFIX.length()), scan.value()));
            }
        }
        CatalogDisagreesException.requireSameKeys(registry.definitions(), catalog);
        try (RocksBatch batch = new RocksBatch()) {
            for (TableDefinition table : catalog.tables()) {
                if (!registry.byName.containsKey(table.name())) {
                    registry.put(new StoredTable(registry.nextId(), bare(table)), batch, meta);
                }
            }
            database.write(batch, true);
        }
        return registry;
    }

    /** Takes over the partitions that tables began with, for those known. */
    void keepPartitions(RocksDatabase database, RocksTable meta, Catalog stored) {
        try (RocksBatch batch = new RocksBatch()) {
            for (TableDefinition table : stored.tables()) {
                StoredTable known = byName.get(table.name());
                if (known != null && known.definition().partitions() != table.partitions()) {
                    put(new StoredTable(known.id(), known.definition().with(table.partitions())), batch, meta);
                }
            }
            database.write(batch, true);
        }
    }

    StoredTable byName(String name) {
        StoredTable table = byName.get(name);
        if (table == null) {
            throw new IllegalArgumentException("Expected a table of " + byName.keySet() + ", but got " + name);
        }
        return table;
    }

    StoredTable byId(int id) {
        StoredTable table = byId.get(id);
        if (table == null) {
            throw new IllegalStateException("Expected a table number of " + byId.keySet() + ", but found " + id);
        }
        return table;
    }

    List<TableDefinition> definitions() {
        return byId.values().stream().map(StoredTable::definition).toList();
    }

    private int nextId() {
        return byId.keySet().stream().mapToInt(id -> id).max().orElse(0) + 1;
    }

    private void put(StoredTable table, RocksBatch batch, RocksTable meta) {
        add(table);
        batch.put(meta, MetaKeys.key(MetaKeys.TABLE_PREFIX + table.name()), write(table));
    }

    private void add(StoredTable table) {
        byName.put(table.name(), table);
        byId.put(table.id(), table);
    }

    private static TableDefinition bare(TableDefinition table) {
        return new TableDefinition(table.name(), table.primaryKey(), table.partitions(), List.of());
    }

    private static byte[] write(StoredTable table) {
        ObjectNode json = RowJson.mapper().createObjectNode();
        json.put("id", table.id());
        json.put("partitions", table.definition().partitions());
        ArrayNode key = json.putArray("primaryKey");
        table.definition().primaryKey().forEach(field -> key.add(field.toString()));
        return RowJson.write(json);
    }

    private static StoredTable read(String name, byte[] value) {
        try {
            ObjectNode json = RowJson.parseObject(value);
            List<FieldPath> key = new ArrayList<>();
            for (JsonNode field : json.path("primaryKey")) {
                key.add(FieldPath.parse(field.asText()));
            }
            TableDefinition definition =
                    new TableDefinition(name, key, json.path("partitions").asInt(), List.of());
            return new StoredTable(json.path("id").asInt(), definition);
        } catch (BadJsonException e) {
            throw new IllegalStateException("Expected the identity of table " + name + ", but " + e.getMessage(), e);
        }
    }
}
