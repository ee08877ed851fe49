package dev.tidemark.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.Yaml;

import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Holds answers of a service against its published OpenAPI document: call, status, headers, content type and body. A
 * body must not have members that the document does not name. Statuses that any call can have are those that the
 * response {@code default} lists in its description.
 */
public final class PublishedAnswers {
    /**
     * Headers that programs act on: an answer has those of a document, unless they are not required there, and no
     * others of these.
     */
    private static final List<String> HEADERS = List.of("ETag", "Location", "Retry-After");

    private static final List<String> METHODS = List.of("get", "put", "post", "patch", "delete");
    private static final Set<Integer> RETRIED = Set.of(429, 503);
    private static final String PROBLEM = "application/problem+json";
    private static final Pattern STATUS = Pattern.compile("\\b[45]\\d\\d\\b");
    private static final Pattern NAME = Pattern.compile("\\{[^}]+}");

    private final JsonNode document;
    private final ClosedSchemas schemas;

    PublishedAnswers(Map<?, ?> document) {
        this.document = new ObjectMapper().valueToTree(document);
        this.schemas = new ClosedSchemas(this.document);
    }

    /**
     * The answers that a document describes.
     *
     * @param resource the document on the class path
     */
    public static PublishedAnswers of(String resource) {
        try (InputStream in = PublishedAnswers.class.getResourceAsStream(resource)) {
            assertThat(in).as(resource).isNotNull();
            return new PublishedAnswers(new Yaml().load(in));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** The calls that the document has, as method and path. */
    public Set<String> calls() {
        Set<String> calls = new TreeSet<>();
        document.path("paths")
                .properties()
                .forEach(item -> METHODS.stream()
                        .filter(item.getValue()::has)
                        .forEach(method -> calls.add(method.toUpperCase(Locale.ROOT) + " " + item.getKey())));
        return calls;
    }

    /** Fails unless an answer is as published; otherwise returns it. */
    public HttpResponse<byte[]> check(HttpResponse<byte[]> answer) {
        check(answer, answer.body());
        return answer;
    }

    /** The same for an answer whose body is not read here. */
    public <T> HttpResponse<T> checkHead(HttpResponse<T> answer) {
        check(answer, null);
        return answer;
    }

    private void check(HttpResponse<?> answer, byte @Nullable [] body) {
        check(
                answer.request().method(),
                answer.request().uri().getRawPath(),
                answer.statusCode(),
                answer.headers(),
                Optional.ofNullable(body));
    }

    void check(String method, String path, int status, HttpHeaders headers, Optional<byte[]> body) {
        String call = method + " " + path + " -> " + status;
        boolean bodiless = method.equals("HEAD");
        JsonNode response = response(bodiless ? "get" : method.toLowerCase(Locale.ROOT), path, status, call);
        checkHeaders(call, response.path("headers"), headers);
        if (RETRIED.contains(status) && type(headers).equals(PROBLEM)) {
            assertThat(headers.firstValue("Retry-After"))
                    .as("%s says when trying again may help", call)
                    .isPresent();
        }
        if (!bodiless) {
            checkBody(call, response.path("content"), headers, body);
        }
    }

    /** What the document says of a status of a call; of a call that it does not have, that it is a problem. */
    private JsonNode response(String method, String path, int status, String call) {
        Optional<JsonNode> item = item(path);
        JsonNode responses =
                item.map(found -> found.path(method).path("responses")).orElseGet(() -> document.path("nowhere"));
        JsonNode exact = resolved(responses.path(String.valueOf(status)));
        if (!exact.isMissingNode()) {
            return exact;
        }
        JsonNode usual = resolved(responses.isMissingNode() ? anywhere() : responses.path("default"));
        Set<String> listed = new TreeSet<>();
        STATUS.matcher(usual.path("description").asText()).results().forEach(found -> listed.add(found.group()));
        if (responses.isMissingNode()) {
            listed.add(item.isPresent() ? "405" : "404");
        }
        assertThat(listed).as("%s is a status that is published", call).contains(String.valueOf(status));
        return usual;
    }

    private JsonNode anywhere() {
        return document.path("components").path("responses").path("AnyCall");
    }

    /** The path of the document that a path matches, the one with the fewest names in it where there are several. */
    private Optional<JsonNode> item(String path) {
        return document.path("paths").properties().stream()
                .filter(item -> matches(item.getKey(), path))
                .min(Comparator.comparing(
                        item -> NAME.matcher(item.getKey()).results().count()))
                .map(Map.Entry::getValue);
    }

    private static boolean matches(String template, String path) {
        String pattern = NAME.splitAsStream(template + " ")
                .map(literal -> Pattern.quote(literal.strip()))
                .collect(Collectors.joining("[^/]+"));
        return path.matches(pattern);
    }

    private JsonNode resolved(JsonNode node) {
        JsonNode at = node;
        while (at.has("$ref")) {
            at = document.at(at.path("$ref").asText().substring(1));
        }
        return at;
    }

    private void checkHeaders(String call, JsonNode published, HttpHeaders headers) {
        for (String name : HEADERS) {
            boolean there = headers.firstValue(name).isPresent();
            if (there) {
                assertThat(published.has(name))
                        .as("%s has a published header %s", call, name)
                        .isTrue();
            } else if (published.has(name)) {
                assertThat(resolved(published.path(name)).path("required").asBoolean(true))
                        .as("%s needs the header %s", call, name)
                        .isFalse();
            }
        }
    }

    private void checkBody(String call, JsonNode content, HttpHeaders headers, Optional<byte[]> body) {
        String type = type(headers);
        if (content.isMissingNode()) {
            body.ifPresent(bytes -> assertThat(bytes).as("%s has no body", call).isEmpty());
            return;
        }
        assertThat(types(content)).as("%s has a published content type", call).contains(type);
        if (body.isPresent() && (type.equals("application/json") || type.endsWith("+json"))) {
            JsonNode json = json(call, body.get());
            assertThat(schemas.differences(content.path(type).path("schema"), json))
                    .as("%s is as published: %s", call, json)
                    .isEmpty();
        }
    }

    private static String type(HttpHeaders headers) {
        return headers.firstValue("Content-Type")
                .map(value -> value.split(";", 2)[0].strip())
                .orElse("");
    }

    private static Set<String> types(JsonNode content) {
        Set<String> types = new TreeSet<>();
        content.fieldNames().forEachRemaining(types::add);
        return types;
    }

    private static JsonNode json(String call, byte[] body) {
        try {
            return RowJson.parse(body);
        } catch (BadJsonException e) {
            throw new AssertionError(call + " is no JSON", e);
        }
    }
}
