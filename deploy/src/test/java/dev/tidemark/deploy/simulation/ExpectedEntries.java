package dev.tidemark.deploy.simulation;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

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

    /** Entries of one row in the index at that position, as {@code value|id|carried}. */
    static Set<String> of(int index, JsonNode row) {
        String id = row.path("id").asText();
        Set<String> entries = new TreeSet<>();
        switch (index) {
            case 0 -> {
                if (row.has("town")) {
                    entries.add(row.path("town").asText() + "|" + id + "|" + row);
                }
            }
            case 1 -> {
                Set<String> distinct = new LinkedHashSet<>();
                row.path("tags").forEach(tag -> distinct.add(tag.asText()));
                ObjectNode carried = RowJson.mapper().createObjectNode();
                if (row.has("town")) {
                    carried.set("town", row.path("town"));
                }
                distinct.forEach(tag -> entries.add(tag + "|" + id + "|" + carried));
            }
            case 2 -> {
                if (row.path("size").asInt(-1) >= 3) {
                    entries.add(row.path("size").asText() + "|" + id + "|");
                }
            }
            default -> throw new AssertionError("no index " + index);
        }
        return entries;
    }

    /** An entry as it was found, in the same form. */
    static String found(int index, KeyBytes key, KeyBytes carried) {
        try {
            KeyReader reader = new KeyReader(key);
            List<String> parts = new ArrayList<>();
            parts.add(reader.next(index == 2 ? Order.DESC : Order.ASC).toJson().asText());
            parts.add(reader.next(Order.ASC).toJson().asText());
            parts.add(new String(carried.array(), StandardCharsets.UTF_8));
            return String.join("|", parts);
        } catch (MalformedKeyException e) {
            return "malformed " + key;
        }
    }
}
