package dev.tidemark.deploy.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Where an index is in its life.
 *
 * @param index its name, with the table where several tables have one of that name
 * @param table its table
 * @param generation number of its current definition; 0 where the worker does not report it
 * @param state building, verifying, ready, paused, degraded, rebuilding, dropping or unknown
 * @param since when that began, RFC 3339; empty when unknown
 * @param cause why; empty when unknown
 * @param entries how many it holds
 * @param equal whether it equals its table by their digests: true or false, empty while that is not known
 * @param progress of building
 * @param refused rows that it cannot hold
 * @param previous the generation before, while it is kept
 */
public record IndexLifecycle(
        String index,
        String table,
        long generation,
        String state,
        String since,
        String cause,
        long entries,
        Optional<Boolean> equal,
        Progress progress,
        long refused,
        Optional<Previous> previous) {

    /**
     * How far building is.
     *
     * @param rowsDone rows that are in
     * @param rowsTotal rows of the table; 0 when there is nothing to build, or nothing is known
     * @param rowsPerSecond speed
     * @param etaSeconds time to go
     */
    public record Progress(long rowsDone, long rowsTotal, OptionalDouble rowsPerSecond, OptionalDouble etaSeconds) {}

    /**
     * The generation before the current one.
     *
     * @param rollbackUntil when it goes, RFC 3339; empty while that is not known
     */
    public record Previous(long generation, boolean serves, String rollbackUntil) {}

    /** Whether this is an index by its bare name and table, in a generation or a later one. */
    public boolean is(String ofTable, String name, long leastGeneration) {
        return qualifiedName().equals(ofTable + "." + name) && generation >= leastGeneration;
    }

    /** The name that is unique among all tables. */
    public String qualifiedName() {
        return index.startsWith(table + ".") ? index : table + "." + index;
    }

    public boolean isReady() {
        return state.equals("ready");
    }

    public static List<IndexLifecycle> listFromJson(JsonNode json) {
        List<IndexLifecycle> lifecycleStates = new ArrayList<>();
        json.path("indexes").forEach(index -> lifecycleStates.add(fromJson(index)));
        return lifecycleStates;
    }

    /** One of the list. */
    public static IndexLifecycle fromJson(JsonNode json) {
        JsonNode lifecycleState = json.path("life");
        JsonNode progress = json.path("progress");
        return new IndexLifecycle(
                json.path("index").asText(),
                json.path("table").asText(),
                lifecycleState.path("generation").asLong(json.path("generation").asLong()),
                lifecycleState.path("state").asText("unknown"),
                lifecycleState.path("since").asText(""),
                lifecycleState.path("cause").asText(""),
                json.path("entries").asLong(),
                Optional.of(json.path("digest").path("equal"))
                        .filter(JsonNode::isBoolean)
                        .map(JsonNode::asBoolean),
                new Progress(
                        progress.path("rowsDone").asLong(),
                        progress.path("rowsTotal").asLong(),
                        number(progress.path("rowsPerSecond")),
                        number(progress.path("etaSeconds"))),
                json.path("refused").asLong(),
                previous(json.path("previous")));
    }

    private static Optional<Previous> previous(JsonNode json) {
        return json.isObject()
                ? Optional.of(new Previous(
                        json.path("generation").asLong(),
                        json.path("serves").asBoolean(),
                        json.path("rollbackUntil").asText("")))
                : Optional.empty();
    }

    private static OptionalDouble number(JsonNode node) {
        return node.isNumber() ? OptionalDouble.of(node.asDouble()) : OptionalDouble.empty();
    }
}
