package dev.tidemark.deploy.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.yaml.snakeyaml.Yaml;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The fields of answers, by the OpenAPI document of a service. A line is a field with its type, indented below what it
 * is part of; a field that may be missing has a question mark.
 *
 * @param document the document
 */
record PublishedFields(JsonNode document) {
    static PublishedFields of(String service) {
        String resource = "/dev/tidemark/" + service + "/openapi.yaml";
        try (InputStream in = PublishedFields.class.getResourceAsStream(resource)) {
            assertThat(in).as(resource).isNotNull();
            Map<?, ?> yaml = new Yaml().load(in);
            return new PublishedFields(new ObjectMapper().valueToTree(yaml));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Whether the service has a call, as in {@code GET /v1/lag}. */
    boolean has(String call) {
        return !operation(call).isMissingNode();
    }

    /** The fields of what the call answers with status 200. */
    List<String> of200(String call) {
        JsonNode answer = resolved(operation(call).path("responses").path("200"));
        List<String> lines = new ArrayList<>();
        add(answer.path("content").path("application/json").path("schema"), "", lines);
        return lines;
    }

    private JsonNode operation(String call) {
        String[] words = call.split(" ", 2);
        return document.path("paths").path(words[1]).path(words[0].toLowerCase(Locale.ROOT));
    }

    private void add(JsonNode schema, String indent, List<String> lines) {
        Set<String> required = parts(schema)
                .flatMap(part -> StreamSupport.stream(part.path("required").spliterator(), false))
                .map(JsonNode::asText)
                .collect(Collectors.toCollection(TreeSet::new));
        parts(schema)
                .flatMap(part -> part.path("properties").properties().stream())
                .forEach(field -> {
                    String optional = required.contains(field.getKey()) ? "" : "?";
                    lines.add(indent + field.getKey() + optional + ": " + type(field.getValue()));
                    add(element(field.getValue()), indent + "  ", lines);
                });
    }

    private String type(JsonNode schema) {
        JsonNode type = parts(schema)
                .map(part -> part.path("type"))
                .filter(one -> !one.isMissingNode())
                .findFirst()
                .orElse(schema.path("type"));
        String names = type.isArray()
                ? StreamSupport.stream(type.spliterator(), false)
                        .map(JsonNode::asText)
                        .collect(Collectors.joining(" or "))
                : type.asText("any value");
        return names.startsWith("array") ? names.replaceFirst("array", "list of " + type(items(schema))) : names;
    }

    /** What has the fields: the schema, or that of the elements of a list. */
    private JsonNode element(JsonNode schema) {
        JsonNode items = items(schema);
        return items.isMissingNode() ? schema : element(items);
    }

    private JsonNode items(JsonNode schema) {
        return resolved(schema).path("items");
    }

    /** The schema, or what it is put together from. */
    private Stream<JsonNode> parts(JsonNode schema) {
        JsonNode whole = resolved(schema);
        return whole.has("allOf")
                ? StreamSupport.stream(whole.path("allOf").spliterator(), false).flatMap(this::parts)
                : Stream.of(whole);
    }

    private JsonNode resolved(JsonNode node) {
        JsonNode at = node;
        while (at.has("$ref")) {
            at = document.at(at.path("$ref").asText().substring(1));
        }
        return at;
    }
}
