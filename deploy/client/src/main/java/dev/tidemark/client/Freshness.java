package dev.tidemark.client;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * How old an answer may be, and what it may lack.
 *
 * @param completeUpTo every change committed until then is in the answer; empty while unknown
 * @param staleness upper bound of how stale the answer is, in milliseconds; empty while unknown
 * @param state steady, catching_up, restoring, degraded, paused or unknown
 * @param missingPartitions partitions whose rows are not in the answer; only with {@link Query#allowPartial()}
 * @param quarantined rows of the table that could not be applied, and may be missing
 * @param refused rows that the index cannot hold, and which are missing
 */
public record Freshness(
        Optional<Instant> completeUpTo,
        Optional<Duration> staleness,
        String state,
        List<Integer> missingPartitions,
        long quarantined,
        long refused) {
    public Freshness {
        missingPartitions = List.copyOf(missingPartitions);
    }

    /** Whether nothing is known to be missing up to {@link #completeUpTo()}. */
    public boolean isComplete() {
        return missingPartitions.isEmpty() && quarantined == 0 && refused == 0;
    }

    static Freshness of(JsonNode json) {
        List<Integer> missing = new ArrayList<>();
        json.path("missingPartitions").forEach(partition -> missing.add(partition.asInt()));
        JsonNode staleness = json.path("stalenessMs");
        return new Freshness(
                time(json.path("completeUpTo")),
                staleness.isNumber() ? Optional.of(Duration.ofMillis(staleness.asLong())) : Optional.empty(),
                json.path("state").asText("unknown"),
                missing,
                json.path("quarantined").path("count").asLong(),
                json.path("refused").asLong());
    }

    /** A time of an answer; empty for null, for nothing, and for text that is no time. */
    static Optional<Instant> time(JsonNode json) {
        try {
            return json.isTextual() ? Optional.of(Instant.parse(json.textValue())) : Optional.empty();
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }
}
