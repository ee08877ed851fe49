package dev.tidemark.testkit;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds words in the schemas of an OpenAPI 3.1 document that are none: a comma that YAML takes for the end of a text
 * makes them.
 */
public final class SchemaWords {
    private static final Set<String> WORDS = Set.of(
            "$ref",
            "type",
            "format",
            "description",
            "enum",
            "const",
            "default",
            "examples",
            "pattern",
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "minLength",
            "maxLength",
            "minItems",
            "maxItems",
            "required",
            "properties",
            "additionalProperties",
            "items",
            "allOf",
            "anyOf",
            "oneOf",
            "title");

    /** Members whose values are schemas by name. */
    private static final Set<String> NAMED = Set.of("properties");

    private SchemaWords() {}

    /**
     * The words that no schema has, and the places of lists without a schema of their items.
     *
     * @param document an OpenAPI document, read from YAML
     */
    public static Set<String> strange(Map<?, ?> document) {
        Set<String> strange = new TreeSet<>();
        find(document, "", strange);
        return strange;
    }

    private static void find(Object node, String place, Set<String> strange) {
        if (node instanceof List<?> list) {
            list.forEach(item -> find(item, place, strange));
        } else if (node instanceof Map<?, ?> map) {
            map.forEach((name, value) -> {
                String here = place + "/" + name;
                if (name.equals("schema")) {
                    schema(value, here, strange);
                } else if (name.equals("schemas") && value instanceof Map<?, ?> schemas) {
                    schemas.forEach((each, schema) -> schema(schema, here + "/" + each, strange));
                } else {
                    find(value, here, strange);
                }
            });
        }
    }

    private static void schema(Object node, String place, Set<String> strange) {
        if (!(node instanceof Map<?, ?> schema)) {
            return;
        }
        if ("array".equals(schema.get("type")) && !schema.containsKey("items")) {
            strange.add(place + " has no items");
        }
        schema.forEach((name, value) -> {
            String here = place + "/" + name;
            if (!WORDS.contains(String.valueOf(name))) {
                strange.add(here);
            } else if (NAMED.contains(String.valueOf(name)) && value instanceof Map<?, ?> named) {
                named.forEach((each, inner) -> schema(inner, here + "/" + each, strange));
            } else if (value instanceof List<?> list
                    && Set.of("allOf", "anyOf", "oneOf").contains(name)) {
                list.forEach(inner -> schema(inner, here, strange));
            } else if (Set.of("items", "additionalProperties").contains(name)) {
                schema(value, here, strange);
            }
        });
    }
}
