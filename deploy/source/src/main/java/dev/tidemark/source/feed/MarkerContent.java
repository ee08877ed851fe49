package dev.tidemark.source.feed;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.row.RowJson;

/**
 * What a marker in the stream says: every commit of the database that was acknowledged before {@code time} comes
 * before the marker.
 *
 * @param time of the writer's clock, read before the marker was committed
 * @param columns digests of the columns by table, read after {@code time}
 */
public record MarkerContent(Instant time, Map<String, String> columns) {
    public MarkerContent {
        columns = Map.copyOf(columns);
    }

    /** As it is put into the stream. */
    public byte[] toBytes() {
        ObjectNode json = RowJson.mapper().createObjectNode().put("time", time.toString());
        new TreeMap<>(columns).forEach(json.putObject("columns")::put);
        return RowJson.write(json);
    }

    /** Reads a marker; empty when others have written it. */
    public static Optional<MarkerContent> of(String content) {
        try {
            JsonNode json = RowJson.mapper().readTree(content);
            return Optional.of(
                    new MarkerContent(Instant.parse(json.path("time").asText()), Position.texts(json.path("columns"))));
        } catch (JsonProcessingException | DateTimeException e) {
            return Optional.empty();
        }
    }
}
