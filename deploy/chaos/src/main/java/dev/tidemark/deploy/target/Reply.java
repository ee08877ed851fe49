package dev.tidemark.deploy.target;

import java.nio.charset.StandardCharsets;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;

import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;

/**
 * What a service answered.
 *
 * @param status HTTP status
 * @param body as text
 */
public record Reply(int status, String body) {
    public boolean ok() {
        return status / 100 == 2;
    }

    /** The body; a missing node where that is not a JSON object. */
    public JsonNode json() {
        try {
            return RowJson.parseEnvelope(body.getBytes(StandardCharsets.UTF_8));
        } catch (BadJsonException e) {
            return MissingNode.getInstance();
        }
    }

    /** Status and detail, for messages. */
    @Override
    public String toString() {
        return status + " " + json().path("detail").asText(body);
    }
}
