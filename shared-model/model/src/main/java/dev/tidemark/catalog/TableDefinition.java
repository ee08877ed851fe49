package dev.tidemark.catalog;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.index.IndexDefinition;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyReader;
import dev.tidemark.key.KeyWriter;
import dev.tidemark.key.MalformedKeyException;
import dev.tidemark.key.Order;
import dev.tidemark.row.BadInputException;
import dev.tidemark.row.FieldPath;
import dev.tidemark.row.FieldValue;
import dev.tidemark.row.ProblemType;
import dev.tidemark.row.RowFields;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.SpelledValue;
import dev.tidemark.row.UnindexableValueException;

/**
 * A fact table.
 *
 * @param name matches {@code ^[a-z][a-z0-9_]{0,62}$}, or is that of a {@link DerivedTable}
 * @param primaryKey the fields of the primary key, in order; at least one
 * @param partitions hash shards of the table, which are the partitions of its change topic; 1 to
 *     {@value #MAX_PARTITIONS}
 * @param indexes its index tables, in the order of the catalog
 * @param source the other database that its rows come from; empty where clients write them
 */
public record TableDefinition(
        String name,
        List<FieldPath> primaryKey,
        int partitions,
        List<IndexDefinition> indexes,
        Optional<RowSource> source) {

    /** Most partitions of a table. More bring no benefit on the machines that Tidemark is made for. */
    public static final int MAX_PARTITIONS = 1_024;

    /**
     * Most indexes of a table in a catalog. Owners note the numbers of all generations that answer beside an offset,
     * and brokers limit that note.
     */
    public static final int MAX_INDEXES = 128;

    /** Longest encoded primary key. */
    public static final int MAX_KEY_BYTES = 1_024;

    /** Names of tables and indexes. */
    public static final Pattern NAME = Pattern.compile("^[a-z][a-z0-9_]{0,62}$");

    public TableDefinition {
        primaryKey = List.copyOf(primaryKey);
        indexes = List.copyOf(indexes);
        requirePartitions("table " + name, partitions);
        if (!NAME.matcher(name).matches() && DerivedTable.of(name).isEmpty()) {
            throw new IllegalArgumentException("Expected a table name that matches " + NAME + ", but got " + name);
        }
        if (primaryKey.isEmpty()) {
            throw new IllegalArgumentException("Expected a primary key for table " + name + ", but got none");
        }
        requireOwnIndexes(name, indexes);
    }

    /** A table whose rows clients write. */
    public TableDefinition(String name, List<FieldPath> primaryKey, int partitions, List<IndexDefinition> indexes) {
        this(name, primaryKey, partitions, indexes, Optional.empty());
    }

    /** The same with another number of partitions. */
    public TableDefinition with(int others) {
        return new TableDefinition(name, primaryKey, others, indexes, source);
    }

    /** The same with other indexes. */
    TableDefinition with(List<IndexDefinition> others) {
        return new TableDefinition(name, primaryKey, partitions, others, source);
    }

    /**
     * The primary key that a row holds.
     *
     * @throws BadKeyException when a part is absent, null, or not a scalar, or the whole is too long
     */
    public KeyBytes keyOf(ObjectNode row) throws BadKeyException {
        List<FieldValue> values = new ArrayList<>(primaryKey.size());
        for (FieldPath field : primaryKey) {
            values.add(keyPart(field, field.in(row))
                    .orElseThrow(() -> new BadKeyException("expected the primary key " + keyNames() + " of table "
                            + name + " in the row, but " + field + " is absent or null")));
        }
        return encode(values);
    }

    /** The fields of a row that its primary key is read from. */
    public RowFields keyFields() {
        return new RowFields(
                primaryKey.stream().map(field -> field.segments().get(0)).toList());
    }

    /**
     * The key that a JSON value spells: the value itself, or a list of values for a composite key.
     *
     * @throws BadKeyException when it is not a key of this table
     */
    public KeyBytes keyFromJson(JsonNode json) throws BadKeyException {
        boolean composite = primaryKey.size() > 1;
        if (composite && (!json.isArray() || json.size() != primaryKey.size())) {
            throw new BadKeyException("expected a list of " + primaryKey.size() + " values " + keyNames()
                    + " as key of table " + name + ", but got "
                    + (json.isArray() ? "a list of " + counted(json.size()) : RowJson.describe(json)));
        }
        List<FieldValue> values = new ArrayList<>(primaryKey.size());
        for (int i = 0; i < primaryKey.size(); i++) {
            FieldPath field = primaryKey.get(i);
            values.add(keyPart(field, composite ? json.get(i) : json)
                    .orElseThrow(() -> new BadKeyException(
                            "expected a value for " + field + " as key of table " + name + ", but got null")));
        }
        return encode(values);
    }

    /**
     * The key that the parts of a URL spell, which are decoded and were separated by commas.
     *
     * @throws BadInputException when they are not a key of this table
     */
    public KeyBytes keyFromSpelled(List<String> parts) throws BadInputException {
        if (primaryKey.size() == 1) {
            // A comma in the only part is a comma.
            return keyFromJson(SpelledValue.parse(String.join(",", parts)));
        }
        if (parts.size() != primaryKey.size()) {
            throw new BadKeyException("expected " + primaryKey.size() + " values " + keyNames()
                    + ", separated by commas, as key of table " + name + ", but got " + counted(parts.size())
                    + "; in a URL, a comma within a value is written %2C");
        }
        ArrayNode list = RowJson.mapper().createArrayNode();
        for (String part : parts) {
            list.add(SpelledValue.parse(part));
        }
        return keyFromJson(list);
    }

    private static String counted(int values) {
        return values == 1 ? "1 value" : values + " values";
    }

    /**
     * The inverse of {@link #keyFromJson(JsonNode)}.
     *
     * @throws MalformedKeyException when the bytes are not a key of this table
     */
    public JsonNode keyToJson(KeyBytes key) throws MalformedKeyException {
        List<FieldValue> values = KeyReader.readAll(key);
        if (values.size() != primaryKey.size()) {
            throw new MalformedKeyException(
                    "Expected " + primaryKey.size() + " values in a key of table " + name + ", found " + values.size());
        }
        if (values.size() == 1) {
            return values.get(0).toJson();
        }
        ArrayNode list = RowJson.mapper().createArrayNode();
        values.forEach(value -> list.add(value.toJson()));
        return list;
    }

    /** The hash shard of a row: CRC-32C of its encoded key, modulo the number of partitions. */
    public int partitionOf(KeyBytes key) {
        return key.partition(partitions);
    }

    /** The index of that name. */
    public Optional<IndexDefinition> index(String indexName) {
        return indexes.stream().filter(index -> index.name().equals(indexName)).findFirst();
    }

    private KeyBytes encode(List<FieldValue> values) throws BadKeyException {
        KeyWriter writer = new KeyWriter();
        values.forEach(value -> writer.append(value, Order.ASC));
        if (writer.length() > MAX_KEY_BYTES) {
            throw new BadKeyException(
                    "expected a primary key of at most " + MAX_KEY_BYTES + " bytes for table " + name
                            + ", but it would be " + writer.length(),
                    ProblemType.KEY_TOO_LONG);
        }
        return writer.toKey();
    }

    private Optional<FieldValue> keyPart(FieldPath field, JsonNode node) throws BadKeyException {
        try {
            return FieldValue.of(node);
        } catch (UnindexableValueException e) {
            throw new BadKeyException("primary key field " + field + " of table " + name + ": " + e.getMessage());
        }
    }

    static void requirePartitions(String what, int partitions) {
        if (partitions < 1 || partitions > MAX_PARTITIONS) {
            throw new IllegalArgumentException(
                    "Expected 1 to " + MAX_PARTITIONS + " partitions for " + what + ", but got " + partitions);
        }
    }

    private static void requireOwnIndexes(String table, List<IndexDefinition> indexes) {
        Set<String> names = new HashSet<>();
        for (IndexDefinition index : indexes) {
            if (!index.table().equals(table) || !names.add(index.name())) {
                throw new IllegalArgumentException("Expected indexes of table " + table
                        + ", each name once, but got a second or foreign " + index.qualifiedName());
            }
        }
    }

    private String keyNames() {
        return primaryKey.toString();
    }
}
