package dev.tidemark.worker.forecast;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.catalog.IndexChange;

/**
 * What a wanted index would be like; numbers of rows and entries are estimated from a sample.
 *
 * @param change what would be done
 * @param entries how many there would be
 * @param entriesPerRow on average
 * @param keyBytes of all entry keys, before compression
 * @param carriedBytes of all that entries carry, before compression
 * @param diskRatio estimated bytes on disk for each of these
 * @param hottest the keys with the most entries, at most 16
 * @param refused rows that the index cannot hold
 * @param examples the first of them, at most 32
 * @param build how long building would take, by itself and without other work
 * @param applyPerChange what each change of the table would cost more
 * @param placements where the index is global
 */
public record IndexForecast(
        IndexChange change,
        long entries,
        double entriesPerRow,
        long keyBytes,
        long carriedBytes,
        double diskRatio,
        List<HotKey> hottest,
        long refused,
        List<Refusal> examples,
        Duration build,
        Duration applyPerChange,
        Optional<Placements> placements) {

    /**
     * A key with many entries.
     *
     * @param key the values of its parts
     * @param entries how many entries it would have
     * @param error how many fewer they may be
     */
    public record HotKey(List<JsonNode> key, long entries, long error) {
        public HotKey {
            key = List.copyOf(key);
        }
    }

    /** A row that the index cannot hold, and why. */
    public record Refusal(JsonNode primaryKey, String reason) {}

    /**
     * What a global index publishes to its own topic.
     *
     * @param partitions of the topic
     * @param recordsPerChange records that each change of the table adds while no key changes, on average
     * @param recordsPerMove the same where each row gets the key of another one
     * @param topicBytes estimated bytes of the topic once it is filled, compressed
     */
    public record Placements(int partitions, double recordsPerChange, double recordsPerMove, long topicBytes) {}

    public IndexForecast {
        hottest = List.copyOf(hottest);
        examples = List.copyOf(examples);
    }

    /** Bytes of the keys that it names. */
    long bytes() {
        long keys = hottest.stream()
                .flatMap(hot -> hot.key().stream())
                .mapToLong(value -> value.asText().length())
                .sum();
        return keys
                + examples.stream()
                        .mapToLong(refusal -> refusal.primaryKey().toString().length()
                                + refusal.reason().length())
                        .sum();
    }

    /** Estimated bytes on disk. */
    public long diskBytes() {
        return Math.round((keyBytes + carriedBytes) * diskRatio);
    }
}
