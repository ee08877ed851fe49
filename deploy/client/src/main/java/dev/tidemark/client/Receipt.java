package dev.tidemark.client;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * The status of a write in each index of its table.
 *
 * @param table written to
 * @param decided whether nothing is pending or unknown
 * @param indexes of the token of one row; empty for that of a bulk load
 * @param answer all that the service answered, such as {@code partitions} for a bulk load
 */
public record Receipt(String table, boolean decided, List<InIndex> indexes, JsonNode answer) {
    public Receipt {
        indexes = List.copyOf(indexes);
    }

    /**
     * The status of a write in one index.
     *
     * @param index its name
     * @param status visible, pending, not_applicable, quarantined, superseded, inconsistent or unknown
     * @param visibleSince when queries began to see it; empty where they do not, and where that is not known
     * @param reason for people; empty where the status says enough
     */
    public record InIndex(String index, String status, Optional<Instant> visibleSince, Optional<String> reason) {}

    static Receipt of(JsonNode json) {
        List<InIndex> indexes = new ArrayList<>();
        for (JsonNode one : json.path("indexes")) {
            indexes.add(new InIndex(
                    one.path("index").asText(),
                    one.path("status").asText(),
                    Freshness.time(one.path("visibleSince")),
                    Optional.ofNullable(one.path("reason").textValue())));
        }
        return new Receipt(json.path("table").asText(), json.path("decided").asBoolean(), indexes, json);
    }
}
