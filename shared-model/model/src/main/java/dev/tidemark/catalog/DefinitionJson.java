package dev.tidemark.catalog;

import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;

import dev.tidemark.index.Condition;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.index.KeyPart;
import dev.tidemark.index.Projection;
import dev.tidemark.index.RowFilter;
import dev.tidemark.key.Order;
import dev.tidemark.row.FieldPath;
import dev.tidemark.row.FieldValue;
import dev.tidemark.row.RowJson;

/**
 * Definitions as JSON, in the shape of the catalog file, in one canonical form: two definitions that mean the same give
 * the same JSON.
 */
public final class DefinitionJson {
    private DefinitionJson() {}

    /** A whole catalog, as a catalog file has it. */
    public static ObjectNode of(Catalog catalog) {
        ObjectNode json = RowJson.mapper().createObjectNode();
        ObjectNode tables = json.putObject("tables");
        for (TableDefinition table : catalog.tables()) {
            ObjectNode one = tables.putObject(table.name());
            describe(table, one);
            ObjectNode indexes = one.putObject("indexes");
            for (IndexDefinition index : table.indexes()) {
                ObjectNode definition = of(index);
                if (index.where().conditions().isEmpty()) {
                    definition.remove("where");
                }
                indexes.set(index.name(), definition);
            }
        }
        return json;
    }

    /** A table with its indexes. */
    public static ObjectNode of(TableDefinition table) {
        ObjectNode json = RowJson.mapper().createObjectNode();
        json.put("name", table.name());
        describe(table, json);
        ObjectNode indexes = json.putObject("indexes");
        SortedMap<String, IndexDefinition> byName = new TreeMap<>();
        table.indexes().forEach(index -> byName.put(index.name(), index));
        byName.forEach((name, index) -> indexes.set(name, of(index)));
        return json;
    }

    /** Where the rows of a table come from. */
    public static ObjectNode of(RowSource source) {
        return RowJson.mapper().createObjectNode().put("name", source.name()).put("table", source.table());
    }

    /** The tables whose rows are to come from elsewhere, with {@code from} and {@code to}, null for clients. */
    public static ArrayNode of(List<SourceChange> changes) {
        ArrayNode json = RowJson.mapper().createArrayNode();
        for (SourceChange change : changes) {
            ObjectNode one = json.addObject().put("table", change.table());
            one.set("from", change.from().map(DefinitionJson::of).orElse(null));
            one.set("to", change.to().map(DefinitionJson::of).orElse(null));
        }
        return json;
    }

    /** Adds what a table is, but for its name and its indexes. */
    private static void describe(TableDefinition table, ObjectNode json) {
        json.set("primaryKey", fields(table.primaryKey()));
        json.put("partitions", table.partitions());
        table.source().ifPresent(source -> json.set("source", of(source)));
    }

    /**
     * The key, projection and filter of an index; {@code where} is {@code {}} for an index over every row. A global
     * index has {@code scope} and {@code partitions}, too, and {@code salt} where that is not 1.
     */
    public static ObjectNode of(IndexDefinition index) {
        ObjectNode json = RowJson.mapper().createObjectNode();
        json.set("key", key(index.key()));
        json.set("projection", projection(index.projection()));
        json.set("where", where(index.where()));
        if (index.isGlobal()) {
            json.put("scope", "global").put("partitions", index.partitions());
        }
        if (index.salt() > 1) {
            json.put("salt", index.salt());
        }
        return json;
    }

    /** Key parts: the field alone where order and each are the usual ones. */
    public static ArrayNode key(List<KeyPart> parts) {
        ArrayNode json = RowJson.mapper().createArrayNode();
        for (KeyPart part : parts) {
            if (part.order() == Order.ASC && !part.each()) {
                json.add(part.field().toString());
            } else {
                json.addObject()
                        .put("field", part.field().toString())
                        .put("order", part.order().name().toLowerCase(Locale.ROOT))
                        .put("each", part.each());
            }
        }
        return json;
    }

    /** {@code all}, {@code keys_only}, or the fields. */
    public static JsonNode projection(Projection projection) {
        if (projection instanceof Projection.Fields projected) {
            return fields(projected.paths());
        }
        return TextNode.valueOf(projection instanceof Projection.All ? "all" : "keys_only");
    }

    /** Operators and operands by field. */
    public static ObjectNode where(RowFilter where) {
        SortedMap<String, SortedMap<String, JsonNode>> byField = new TreeMap<>();
        for (Condition condition : where.conditions()) {
            boolean presence = condition.operator() == Condition.Operator.ABSENT;
            String operator = presence ? "exists" : condition.operator().name().toLowerCase(Locale.ROOT);
            byField.computeIfAbsent(condition.field().toString(), field -> new TreeMap<>())
                    .put(operator, operand(condition));
        }
        ObjectNode json = RowJson.mapper().createObjectNode();
        byField.forEach((field, operators) -> json.putObject(field).setAll(operators));
        return json;
    }

    private static JsonNode operand(Condition condition) {
        return switch (condition.operator()) {
            case EXISTS -> BooleanNode.TRUE;
            case ABSENT -> BooleanNode.FALSE;
            case IN, NOT_IN -> {
                ArrayNode list = RowJson.mapper().createArrayNode();
                condition.operands().stream().sorted().map(FieldValue::toJson).forEach(list::add);
                yield list;
            }
            case EQ, NE, GT, GTE, LT, LTE -> condition.operands().get(0).toJson();
        };
    }

    private static ArrayNode fields(List<FieldPath> paths) {
        ArrayNode json = RowJson.mapper().createArrayNode();
        paths.forEach(path -> json.add(path.toString()));
        return json;
    }
}
