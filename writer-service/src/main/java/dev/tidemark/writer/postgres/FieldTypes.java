package dev.tidemark.writer.postgres;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

import dev.tidemark.row.RowJson;

/** The fields that rows of one table had, in the order of their first occurrence, with the SQL type of each. */
final class FieldTypes {
    static final String TEXT = "text";
    static final String NUMERIC = "numeric";
    static final String BOOLEAN = "boolean";

    /** Of objects and arrays, and of a field that has values of several types. */
    static final String JSON = "json";

    /** Most columns of a view. */
    private static final int MOST = 300;

    /** PostgreSQL cuts longer names off. */
    private static final int MAX_NAME_BYTES = 63;

    private static final Set<String> OWN = Set.of("_pk", "_epoch", "_sequence", "_committed_at", "_row");

    private final Map<String, String> types = new LinkedHashMap<>();

    private FieldTypes() {}

    /** What {@link #json} gave. */
    static FieldTypes of(ObjectNode json) {
        FieldTypes read = new FieldTypes();
        json.properties()
                .forEach(
                        field -> read.types.put(field.getKey(), field.getValue().asText()));
        return read;
    }

    /** Adds the fields of a row; whether one is new or has another type now. */
    boolean add(ObjectNode row) {
        boolean changed = false;
        for (Map.Entry<String, JsonNode> field : row.properties()) {
            String name = field.getKey();
            String type = type(field.getValue());
            String known = types.get(name);
            if (type != null && !type.equals(known) && !JSON.equals(known) && (known != null || fits(name))) {
                types.put(name, known == null ? type : JSON);
                changed = true;
            }
        }
        return changed;
    }

    /** Name ⇒ type. */
    Map<String, String> types() {
        return types;
    }

    ObjectNode json() {
        ObjectNode json = RowJson.mapper().createObjectNode();
        types.forEach(json::put);
        return json;
    }

    private boolean fits(String name) {
        return types.size() < MOST
                && !name.isEmpty()
                && name.indexOf(0) < 0
                && name.getBytes(StandardCharsets.UTF_8).length <= MAX_NAME_BYTES
                && !OWN.contains(name);
    }

    private static @Nullable String type(JsonNode value) {
        return switch (value.getNodeType()) {
            case STRING -> TEXT;
            case NUMBER -> NUMERIC;
            case BOOLEAN -> BOOLEAN;
            case OBJECT, ARRAY -> JSON;
            default -> null;
        };
    }
}
