package dev.tidemark.deploy.drill.target;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What a service answered.
 *
 * @param status HTTP status
 * @param json the body; a missing node where that is not JSON
 */
public record Reply(int status, JsonNode json) {

    public boolean ok() {
        return status / 100 == 2;
    }

    /** Status and detail, for messages. */
    @Override
    public String toString() {
        return status + " " + (json.has("detail") ? json.path("detail").asText() : json.toString());
    }
}
