package dev.tidemark.http;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.row.RowJson;

/**
 * An error answer as in RFC 9457.
 *
 * @param status HTTP status, 400 to 599
 * @param title the kind of problem, the same for all of its kind
 * @param detail what was wrong this time and what was expected
 * @param errors the single problems, where there are several
 * @param retryAfter when trying again may help
 */
public record Problem(int status, String title, String detail, List<String> errors, Optional<Duration> retryAfter) {
    public Problem {
        errors = List.copyOf(errors);
    }

    /** A problem that trying again does not help. */
    public static Problem of(int status, String title, String detail) {
        return new Problem(status, title, detail, List.of(), Optional.empty());
    }

    /** A problem that may be gone after a while. */
    public static Problem retryable(int status, String title, String detail, Duration retryAfter) {
        return new Problem(status, title, detail, List.of(), Optional.of(retryAfter));
    }

    public static Problem badRequest(String detail) {
        return of(400, "Bad request", detail);
    }

    public static Problem notFound(String detail) {
        return of(404, "Not found", detail);
    }

    ObjectNode toJson() {
        ObjectNode json = RowJson.mapper().createObjectNode();
        json.put("type", "about:blank");
        json.put("title", title);
        json.put("status", status);
        json.put("detail", detail);
        if (!errors.isEmpty()) {
            ArrayNode list = json.putArray("errors");
            errors.forEach(error -> list.addObject().put("detail", error));
        }
        return json;
    }
}
