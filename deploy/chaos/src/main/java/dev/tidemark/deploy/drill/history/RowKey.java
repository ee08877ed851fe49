package dev.tidemark.deploy.drill.history;

import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.TextNode;

import dev.tidemark.deploy.oracle.Canonical;
import dev.tidemark.row.RowJson;

/** A primary key of one or more texts. */
public record RowKey(List<String> parts) {
    public RowKey {
        parts = List.copyOf(parts);
    }

    /** As answers show it: the value, or the list of values. */
    public JsonNode json() {
        if (parts.size() == 1) {
            return TextNode.valueOf(parts.get(0));
        }
        ArrayNode list = RowJson.mapper().createArrayNode();
        parts.forEach(list::add);
        return list;
    }

    @Override
    public String toString() {
        return Canonical.text(json());
    }
}
