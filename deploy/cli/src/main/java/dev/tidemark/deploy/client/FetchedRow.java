package dev.tidemark.deploy.client;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A row of a scan.
 *
 * @param key its primary key: the value, or a list of values
 * @param version opaque
 * @param row its fields
 */
public record FetchedRow(JsonNode key, String version, JsonNode row) {

    public static FetchedRow fromJson(JsonNode json) {
        return new FetchedRow(json.path("key"), json.path("version").asText(), json.path("row"));
    }
}
