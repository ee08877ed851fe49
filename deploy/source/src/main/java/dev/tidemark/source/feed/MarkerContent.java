package dev.tidemark.source.feed;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.row.RowJson;

/**
 * What a marker in the stream says: every commit of the database that was acknowledged before {@code time} comes
 * before the marker.
 *
 * @param time of the writer's clock, read before the marker was committed
 * @param columns digest of the columns, read after {@code time}
 */
public record MarkerContent(Instant time, String columns) {
    /** As it is put into the stream. */
    public byte[] toBytes() {
        return RowJson.write(
                RowJson.mapper().createObjectNode().put("time", time.toString()).put("columns", columns));
    }

    /** Reads a marker; empty when others have written it. */
    public static Optional<MarkerContent> of(String content) {
        try {
            JsonNode json = RowJson.mapper().readTree(content);
            return Optional.of(new MarkerContent(
                    Instant.parse(json.path("time").asText()),
                    json.path("columns").asText()));
        } catch (JsonProcessingException | DateTimeException e) {
            return Optional.empty();
        }
    }
}
