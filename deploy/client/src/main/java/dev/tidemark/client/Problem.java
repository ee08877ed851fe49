package dev.tidemark.client;

import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What a service answered instead of a result (RFC 9457).
 *
 * @param status HTTP status, 300 to 599
 * @param type names the kind for programs, such as {@code tidemark:row-too-large}; {@code about:blank} where the
 *     status says enough
 * @param title the kind for people
 * @param detail what was wrong, and what was expected
 * @param errors single problems, where there are several
 * @param body the whole answer; with members that depend on the kind
 */
public record Problem(int status, String type, String title, String detail, List<String> errors, JsonNode body) {
    public Problem {
        errors = List.copyOf(errors);
    }

    static Problem of(int status, JsonNode body) {
        List<String> errors = new ArrayList<>();
        body.path("errors")
                .forEach(error -> errors.add(
                        error.isTextual()
                                ? error.textValue()
                                : error.path("detail").asText(error.toString())));
        String title = body.path("title").asText("");
        return new Problem(
                status,
                body.path("type").asText("about:blank"),
                title,
                body.path("detail").asText(title.isEmpty() ? "no detail given" : title),
                errors,
                body);
    }
}
