package dev.tidemark.deploy.client;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A row of a scan.
 *
 * @param key its primary key: the value, or a list of values
 * @param version opaque
 * @param row its fields
 */
public record StoredRow(JsonNode key, String version, JsonNode row) {

    public static StoredRow fromJson(JsonNode json) {
        return new StoredRow(json.path("key"), json.path("version").asText(), json.path("row"));
    }
}
