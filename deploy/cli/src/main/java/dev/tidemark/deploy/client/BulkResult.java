package dev.tidemark.deploy.client;

import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * The result of a bulk request.
 *
 * @param committed lines that were committed
 * @param rejected lines that were not; the service may leave some out when there are very many
 * @param token to read one's own writes; empty when nothing was committed
 */
public record BulkResult(long committed, List<Rejection> rejected, String token) {

    /**
     * One line that was not committed.
     *
     * @param line its number, from 1
     * @param detail why not
     */
    public record Rejection(long line, String detail) {}

    public BulkResult {
        rejected = List.copyOf(rejected);
    }

    public static BulkResult fromJson(JsonNode json) {
        List<Rejection> rejected = new ArrayList<>();
        for (JsonNode line : json.path("rejected")) {
            rejected.add(new Rejection(
                    line.path("line").asLong(), line.path("detail").asText()));
        }
        return new BulkResult(
                json.path("committed").asLong(), rejected, json.path("token").asText());
    }
}
