package dev.tidemark.deploy.simulation;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;

import dev.tidemark.index.IndexDefinition;
import dev.tidemark.index.Projection;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyReader;
import dev.tidemark.key.KeyWriter;
import dev.tidemark.key.MalformedKeyException;
import dev.tidemark.key.Order;
import dev.tidemark.row.FieldValue;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.UnindexableValueException;

/**
 * What the indexes of {@link SampleTable} should hold, worked out by hand from the rows and written as text: shares no
 * code with the production derivation. Remembers what it has worked out, because the same is asked for again and again.
 */
final class ExpectedEntries {
    private final IdentityHashMap<IndexDefinition, Map<RowDocument, Set<String>>> known = new IdentityHashMap<>();
    private final Map<KeyBytes, String> ascending = new HashMap<>();
    private final Map<KeyBytes, String> descending = new HashMap<>();

    /** Entries of a row in an index, as {@code value|id|carried}; of the very same row they are remembered. */
    Set<String> of(IndexDefinition index, RowDocument row) {
        return known.computeIfAbsent(index, unseen -> new IdentityHashMap<>())
                .computeIfAbsent(row, unseen -> entries(index, row.tree()));
    }

    /** The same, of those that a partition of a global index has. */
    Set<String> of(IndexDefinition index, RowDocument row, int partition) {
        Set<String> some = new TreeSet<>(of(index, row));
        some.removeIf(entry -> partitionOf(index, entry, row) != partition);
        return some;
    }

    /** The partition of a global index that an entry of a row is in. */
    static int partitionOf(IndexDefinition index, String entry, RowDocument row) {
        int first = hash(TextNode.valueOf(entry.substring(0, entry.indexOf('|'))), index.partitions());
        return (first + hash(row.tree().path("id"), index.salt())) % index.partitions();
    }

    private static int hash(JsonNode value, int modulus) {
        try {
            return new KeyWriter()
                    .append(FieldValue.of(value).orElseThrow(), Order.ASC)
                    .toKey()
                    .partition(modulus);
        } catch (UnindexableValueException e) {
            throw new AssertionError(e);
        }
    }

    private static Set<String> entries(IndexDefinition index, JsonNode row) {
        String id = row.path("id").asText();
        Set<String> entries = new TreeSet<>();
        for (String value : values(index.name(), row)) {
            entries.add(value + "|" + id + "|" + carried(index.projection(), row));
        }
        return entries;
    }

    /** An entry as it was found, in the same form. */
    String found(IndexDefinition index, KeyBytes key, KeyBytes carried) {
        String text = index.name().equals("big")
                ? descending.computeIfAbsent(key, unseen -> keyText(unseen, Order.DESC))
                : ascending.computeIfAbsent(key, unseen -> keyText(unseen, Order.ASC));
        return text + new String(carried.array(), StandardCharsets.UTF_8);
    }

    private static String keyText(KeyBytes key, Order order) {
        try {
            KeyReader reader = new KeyReader(key);
            String value = reader.next(order).toJson().asText();
            return value + "|" + reader.next(Order.ASC).toJson().asText() + "|";
        } catch (MalformedKeyException e) {
            return "malformed " + key;
        }
    }

    private static Set<String> values(String index, JsonNode row) {
        Set<String> values = new LinkedHashSet<>();
        boolean big = row.path("size").asInt(-1) >= 3;
        switch (index) {
            case "by_town" -> row.findValues("town").forEach(town -> values.add(town.asText()));
            case "by_tag" -> row.path("tags").forEach(tag -> values.add(tag.asText()));
            case "by_size" -> row.findValues("size").forEach(size -> values.add(size.asText()));
            case "big" ->
                row.findValues("size").stream().filter(size -> big).forEach(size -> values.add(size.asText()));
            default -> throw new AssertionError("no index " + index);
        }
        return values;
    }

    private static String carried(Projection projection, JsonNode row) {
        if (projection instanceof Projection.KeysOnly) {
            return "";
        }
        if (projection instanceof Projection.All) {
            return row.toString();
        }
        String field = ((Projection.Fields) projection).paths().get(0).toString();
        ObjectNode carried = RowJson.mapper().createObjectNode();
        if (row.has(field)) {
            carried.set(field, row.path(field));
        }
        return carried.toString();
    }
}
