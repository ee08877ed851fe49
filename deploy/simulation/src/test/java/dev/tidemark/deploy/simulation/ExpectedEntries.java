package dev.tidemark.deploy.simulation;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.index.IndexDefinition;
import dev.tidemark.index.Projection;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyReader;
import dev.tidemark.key.MalformedKeyException;
import dev.tidemark.key.Order;
import dev.tidemark.row.RowJson;

/**
 * What the indexes of {@link SampleTable} should hold, worked out by hand from the rows and written as text: shares no
 * code with the production derivation.
 */
final class ExpectedEntries {
    private ExpectedEntries() {}

    /** Entries of one row in an index, as {@code value|id|carried}. */
    static Set<String> of(IndexDefinition index, JsonNode row) {
        String id = row.path("id").asText();
        Set<String> entries = new TreeSet<>();
        for (String value : values(index.name(), row)) {
            entries.add(value + "|" + id + "|" + carried(index.projection(), row));
        }
        return entries;
    }

    /** An entry as it was found, in the same form. */
    static String found(IndexDefinition index, KeyBytes key, KeyBytes carried) {
        try {
            KeyReader reader = new KeyReader(key);
            List<String> parts = new ArrayList<>();
            Order order = index.name().equals("big") ? Order.DESC : Order.ASC;
            parts.add(reader.next(order).toJson().asText());
            parts.add(reader.next(Order.ASC).toJson().asText());
            parts.add(new String(carried.array(), StandardCharsets.UTF_8));
            return String.join("|", parts);
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
