package dev.tidemark.deploy.client;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * How far the indexes are behind. A value that the worker does not know is empty, never zero.
 *
 * @param indexes in the order of the catalog
 */
public record LagReport(List<IndexLag> indexes) {

    /**
     * One index.
     *
     * @param index its name
     * @param table its table
     * @param state steady, catching_up, restoring, degraded, paused or unknown
     * @param freshnessSeconds upper bound on how old an answer can be
     * @param recordsBehind changes published and not applied
     * @param oldestUnappliedSeconds age of the oldest of them
     * @param entries how many it holds
     * @param quarantined rows left out because their change could not be applied
     * @param pace how fast its table changes
     * @param visibility commit to queryable
     */
    public record IndexLag(
            String index,
            String table,
            String state,
            OptionalDouble freshnessSeconds,
            OptionalLong recordsBehind,
            OptionalDouble oldestUnappliedSeconds,
            long entries,
            long quarantined,
            Pace pace,
            Visibility visibility) {

        /** Whether everything published is applied and the freshness is below that bound. */
        public boolean isCaughtUp(double seconds) {
            return recordsBehind.orElse(1) == 0 && freshnessSeconds.orElse(Double.MAX_VALUE) < seconds;
        }
    }

    /**
     * How fast things go, in records a second.
     *
     * @param arrival published
     * @param applied to the indexes
     * @param etaSeconds time until it has caught up, seconds; empty when it is not late, or the time is unknown
     */
    public record Pace(OptionalDouble arrival, OptionalDouble applied, OptionalDouble etaSeconds) {
        static Pace fromJson(JsonNode lag, JsonNode index) {
            for (JsonNode table : lag.path("tables")) {
                if (table.path("table").equals(index.path("table"))) {
                    return new Pace(
                            number(table.path("arrivalPerSecond")),
                            number(table.path("appliedPerSecond")),
                            number(index.path("etaSeconds")));
                }
            }
            return new Pace(OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty());
        }

        /** Whether records are known to come at least as fast as they are applied. */
        public boolean gainsNothing() {
            return arrival.isPresent() && applied.isPresent() && applied.getAsDouble() <= arrival.getAsDouble();
        }
    }

    /**
     * Commit-to-queryable times of an index, in seconds.
     *
     * @param count changes measured
     */
    public record Visibility(long count, OptionalDouble p50, OptionalDouble p99, OptionalDouble max) {
        static Visibility fromJson(JsonNode json) {
            return new Visibility(
                    json.path("count").asLong(),
                    number(json.path("p50Seconds")),
                    number(json.path("p99Seconds")),
                    number(json.path("maxSeconds")));
        }
    }

    public LagReport {
        indexes = List.copyOf(indexes);
    }

    public static LagReport fromJson(JsonNode json) {
        List<IndexLag> indexes = new ArrayList<>();
        for (JsonNode index : json.path("indexes")) {
            JsonNode behind = index.path("recordsBehind");
            indexes.add(new IndexLag(
                    index.path("index").asText(),
                    index.path("table").asText(),
                    index.path("state").asText("unknown"),
                    number(index.path("freshnessSeconds")),
                    behind.isNumber() ? OptionalLong.of(behind.asLong()) : OptionalLong.empty(),
                    number(index.path("oldestUnappliedSeconds")),
                    index.path("entries").asLong(),
                    index.path("quarantined").asLong(),
                    Pace.fromJson(json, index),
                    Visibility.fromJson(index.path("visibility"))));
        }
        return new LagReport(indexes);
    }

    private static OptionalDouble number(JsonNode node) {
        return node.isNumber() ? OptionalDouble.of(node.asDouble()) : OptionalDouble.empty();
    }
}
