package dev.tidemark.deploy.oracle;

import java.util.Map;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.row.RowJson;

/**
 * A write that a client asked for.
 *
 * @param kind what to do
 * @param key the row's primary key
 * @param body the row or the patch; an empty object for a delete
 */
public record Write(Kind kind, String key, ObjectNode body) {

    /** What a write does. */
    public enum Kind {
        PUT,
        PATCH,
        DELETE
    }

    public static Write put(String key, ObjectNode row) {
        return new Write(Kind.PUT, key, row);
    }

    public static Write patch(String key, ObjectNode patch) {
        return new Write(Kind.PATCH, key, patch);
    }

    public static Write delete(String key) {
        return new Write(Kind.DELETE, key, RowJson.mapper().createObjectNode());
    }

    /** What the row is after the write, given what it was; empty for no row. */
    public Optional<ObjectNode> after(Optional<ObjectNode> before) {
        return switch (kind) {
            case PUT -> Optional.of(body);
            case PATCH -> before.map(row -> merged(row, body));
            case DELETE -> Optional.empty();
        };
    }

    /** RFC 7396. */
    private static ObjectNode merged(JsonNode row, JsonNode patch) {
        ObjectNode result = row.isObject() ? row.deepCopy() : RowJson.mapper().createObjectNode();
        for (Map.Entry<String, JsonNode> field : patch.properties()) {
            if (field.getValue().isNull()) {
                result.remove(field.getKey());
            } else if (field.getValue().isObject()) {
                result.set(field.getKey(), merged(result.path(field.getKey()), field.getValue()));
            } else {
                result.set(field.getKey(), field.getValue());
            }
        }
        return result;
    }
}
