package dev.tidemark.row;

import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Where a field stands in a row: a name, or names joined by dots for a field of an inner object ({@code address.city}).
 *
 * @param segments the names from the outermost in; at least one, none empty
 */
public record FieldPath(List<String> segments) {

    public FieldPath {
        segments = List.copyOf(segments);
        if (segments.isEmpty() || segments.stream().anyMatch(String::isBlank)) {
            throw new IllegalArgumentException("Expected a field name or names joined by dots, but got " + segments);
        }
    }

    /**
     * Reads the dotted form.
     *
     * @throws IllegalArgumentException when a name between dots is empty
     */
    public static FieldPath parse(String dotted) {
        return new FieldPath(List.of(dotted.split("\\.", -1)));
    }

    /** What stands there: the value, or a missing node where the row, or an object on the way, lacks it. */
    public JsonNode in(JsonNode row) {
        JsonNode node = row;
        for (String segment : segments) {
            node = node.isObject() ? node.path(segment) : MissingNode.getInstance();
        }
        return node;
    }

    /** Puts a value there, and makes the objects on the way that a row lacks. */
    public void put(ObjectNode row, JsonNode value) {
        ObjectNode node = row;
        for (String segment : segments.subList(0, segments.size() - 1)) {
            node = node.withObjectProperty(segment);
        }
        node.set(segments.get(segments.size() - 1), value);
    }

    /** The dotted form. */
    @Override
    public String toString() {
        return segments.size() == 1 ? segments.get(0) : String.join(".", segments);
    }
}
