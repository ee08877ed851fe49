package dev.tidemark.deploy.oracle;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.JsonNode;

/** One text for all spellings of the same JSON: 1 and 1.0, fields in any order. */
public final class Canonical {
    private Canonical() {}

    public static String text(JsonNode node) {
        if (node.isObject()) {
            Map<String, String> fields = new TreeMap<>();
            node.properties().forEach(field -> fields.put(field.getKey(), text(field.getValue())));
            return fields.toString();
        }
        if (node.isArray()) {
            return StreamSupport.stream(node.spliterator(), false)
                    .map(Canonical::text)
                    .collect(Collectors.joining(",", "[", "]"));
        }
        if (node.isNumber()) {
            return node.decimalValue().signum() == 0
                    ? "0"
                    : node.decimalValue().stripTrailingZeros().toString();
        }
        return node.toString();
    }
}
