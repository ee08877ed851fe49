package dev.tidemark.deploy.e2e.http;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;

/**
 * What a service answered.
 *
 * @param request method and path, for messages
 * @param status HTTP status
 * @param headers by lower-case name
 * @param body as text
 */
public record Answer(String request, int status, Map<String, List<String>> headers, String body) {

    public Answer {
        headers = Map.copyOf(headers);
    }

    public boolean ok() {
        return status / 100 == 2;
    }

    /** The first value of a header; empty where it is absent. */
    public String header(String name) {
        return headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of("")).get(0);
    }

    public JsonNode json() {
        try {
            return RowJson.parse(body.getBytes(StandardCharsets.UTF_8));
        } catch (BadJsonException e) {
            throw new AssertionError("expected JSON from " + this, e);
        }
    }

    /** This answer, which must be a success. */
    public Answer requireOk() {
        if (!ok()) {
            throw new AssertionError("expected a success from " + this);
        }
        return this;
    }

    @Override
    public String toString() {
        String shown = body.length() > 2_000 ? body.substring(0, 2_000) + "…" : body;
        return request + " -> " + status + " " + shown;
    }
}
