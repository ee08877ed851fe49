package dev.tidemark.testkit;

import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.Yaml;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class PublishedAnswersTest {
    private static final String DOCUMENT = """
            openapi: 3.1.0
            paths:
              /things/{name}:
                get:
                  responses:
                    '200':
                      headers: { ETag: {} }
                      content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } }
                    '304': { description: nothing new }
                    default: { $ref: '#/components/responses/AnyCall' }
              /things/all:
                get:
                  responses:
                    '200': { content: { text/plain: {} } }
            components:
              responses:
                AnyCall:
                  description: 401 without a token, 503 while it stops
                  headers: { Retry-After: { required: false } }
                  content: { application/problem+json: { schema: { $ref: '#/components/schemas/Problem' } } }
              schemas:
                Named: { type: object, required: [name], properties: { name: { type: string } } }
                Thing:
                  allOf:
                    - $ref: '#/components/schemas/Named'
                    - type: object
                      properties:
                        parts: { type: array, items: { $ref: '#/components/schemas/Named' } }
                        free: { type: object }
                        time: { type: string, format: date-time }
                Problem: { type: object, properties: { detail: { type: string } } }
            """;

    private final PublishedAnswers published = new PublishedAnswers(new Yaml().load(DOCUMENT));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET /things/a | 200 | {'name':'a','parts':[{'name':'b'}],'free':{'x':1}}",
                "GET /things/a | 304 | ",
                "GET /things/a | 401 | {'detail':'no token'}",
                "GET /things/all | 200 | text",
                "GET /nothing | 404 | {'detail':'no such call'}",
                "PUT /things/a | 405 | {'detail':'no such method'}",
                "HEAD /things/a | 200 | "
            })
    void whatIsPublishedPasses(String call, int status, String body) {
        assertThatCode(() -> check(call, status, body)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET /things/a | 200 | {'name':'a','more':1}",
                "GET /things/a | 200 | {'name':'a','parts':[{'name':'b','more':1}]}",
                "GET /things/a | 200 | {'parts':[]}",
                "GET /things/a | 200 | {'name':'a','time':'yesterday'}",
                "GET /things/a | 304 | {}",
                "GET /things/a | 418 | {'detail':'a teapot'}",
                "GET /things/a | 401 | {'cause':'no token'}",
                "GET /things/all | 200 | {'name':'a'}",
                "GET /things/all | 401 | {'detail':'no token'}",
                "GET /nothing | 200 | {}",
                "PUT /things/a | 200 | {'name':'a'}"
            })
    void whatIsNotPublishedFails(String call, int status, String body) {
        assertThatThrownBy(() -> check(call, status, body))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(call);
    }

    @Test
    void headersAreThereAsPublished() {
        assertThatThrownBy(() -> check("GET /things/a", 200, "{'name':'a'}", Map.of()))
                .hasMessageContaining("needs the header ETag");
        assertThatThrownBy(() -> check("GET /things/a", 304, "", Map.of("ETag", "1")))
                .hasMessageContaining("has a published header ETag");
        assertThatThrownBy(() -> check("GET /things/a", 503, "{}", Map.of()))
                .hasMessageContaining("when trying again may help");
    }

    private void check(String call, int status, String body) {
        check(call, status, body, status == 200 && !call.endsWith("all") ? Map.of("ETag", "1") : Map.of());
    }

    private void check(String call, int status, String body, Map<String, String> more) {
        String text = body == null ? "" : body.replace('\'', '"');
        Map<String, List<String>> headers = new TreeMap<>();
        String type = status >= 400 ? "application/problem+json" : "application/json";
        headers.put("Content-Type", List.of(text.startsWith("{") ? type : "text/plain; charset=utf-8"));
        more.forEach((name, value) -> headers.put(name, List.of(value)));
        String[] parts = call.split(" ", 2);
        published.check(
                parts[0],
                parts[1],
                status,
                HttpHeaders.of(headers, (name, value) -> true),
                Optional.of(text.getBytes(StandardCharsets.UTF_8)));
    }
}
