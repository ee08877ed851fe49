package dev.tidemark.testkit;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;

/**
 * The schemas of an OpenAPI 3.1 document, closed: an object has no members but those that its schema names, where it
 * names any.
 */
final class ClosedSchemas {
    private static final String COMPONENTS = "components";
    private static final Set<String> ALTERNATIVES = Set.of("oneOf", "anyOf");
    private static final Set<String> INNER = Set.of("items", "additionalProperties");

    private final JsonNode document;
    private final JsonNode components;
    private final SchemaRegistry registry = SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_2020_12,
            builder -> builder.schemaRegistryConfig(
                    SchemaRegistryConfig.builder().formatAssertionsEnabled(true).build()));
    private final Map<JsonNode, Schema> known = new ConcurrentHashMap<>();

    ClosedSchemas(JsonNode document) {
        this.document = document;
        ObjectNode closed = document.path(COMPONENTS).deepCopy();
        closed.path("schemas").forEach(schema -> close(schema, false));
        this.components = closed;
    }

    /** What a value has that its schema does not allow, one sentence each. */
    List<String> differences(JsonNode schema, JsonNode value) {
        return known.computeIfAbsent(schema, this::compiled).validate(value).stream()
                .map(error -> error.getInstanceLocation() + ": " + error.getMessage())
                .toList();
    }

    private Schema compiled(JsonNode schema) {
        ObjectNode closed = schema.deepCopy();
        close(closed, true);
        return registry.getSchema(closed.set(COMPONENTS, components));
    }

    /** Closes a schema where a value has to have it by itself, and not beside others. */
    private void close(JsonNode node, boolean alone) {
        if (!(node instanceof ObjectNode schema)) {
            return;
        }
        if (alone && namesMembers(schema) && !schema.has("additionalProperties")) {
            schema.put("unevaluatedProperties", false);
        }
        schema.path("properties").forEach(member -> close(member, true));
        schema.path("allOf").forEach(part -> close(part, false));
        INNER.forEach(name -> close(schema.path(name), true));
        ALTERNATIVES.forEach(name -> schema.path(name).forEach(one -> close(one, true)));
    }

    private boolean namesMembers(JsonNode schema) {
        if (schema.has("properties")) {
            return true;
        }
        if (schema.has("$ref")
                && namesMembers(document.at(schema.path("$ref").asText().substring(1)))) {
            return true;
        }
        for (JsonNode part : schema.path("allOf")) {
            if (namesMembers(part)) {
                return true;
            }
        }
        return false;
    }
}
