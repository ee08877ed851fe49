package dev.tidemark.worker.http;

import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.progress.IndexHealth;
import dev.tidemark.worker.lag.ShardLag;

import static dev.tidemark.worker.http.GroupParts.put;
import static dev.tidemark.worker.http.GroupParts.same;
import static dev.tidemark.worker.http.GroupParts.sum;
import static dev.tidemark.worker.http.JsonValues.seconds;
import static dev.tidemark.worker.http.LagJson.FRESHNESS;
import static dev.tidemark.worker.http.LagJson.GAINS_NOTHING;
import static dev.tidemark.worker.http.LagJson.LATE;
import static dev.tidemark.worker.http.LagJson.RECENT;

/**
 * The lag of a whole replica group: what each worker says of its shards, put together. A table of which no worker that
 * answers has some partition has no freshness. Each worker measures the freshness of its partitions itself: it knows
 * the clock that their watermarks are of.
 */
public record GroupLag(LagJson own, GroupParts group, Supplier<Definitions> definitions) {
    private static final String TABLE = "table";
    private static final String OLDEST = "oldestUnappliedSeconds";
    private static final String PARTITION = "partition";
    private static final String PARTITIONS = "partitions";
    private static final String COUNT = "count";
    private static final List<String> TIMES = List.of("p50Seconds", "p99Seconds", "maxSeconds");

    /** The answer of {@code GET /v1/lag}. */
    ObjectNode lag() {
        if (group.isAlone()) {
            return own.lag(false);
        }
        Instant asked = own.clock().instant();
        ObjectNode whole = own.lag(true);
        List<JsonNode> parts = group.read(whole, PeerRoutes.LAG);
        Duration waited = own.since(asked);
        parts.forEach(part -> part.path("tables")
                .forEach(table -> table.path(PARTITIONS).forEach(one -> later((ObjectNode) one, waited))));
        for (Iterator<JsonNode> tables = whole.path("tables").elements(); tables.hasNext(); ) {
            ObjectNode table = (ObjectNode) tables.next();
            definitions
                    .get()
                    .table(table.path(TABLE).asText())
                    .ifPresentOrElse(
                            plan -> table(table, plan.definition(), same(parts, "tables", TABLE, table)),
                            tables::remove);
        }
        for (JsonNode index : whole.path("indexes")) {
            IndexParts.of(definitions.get(), (ObjectNode) index, same(parts, "indexes", "index", index))
                    .ifPresent(same -> index((ObjectNode) index, same, parts));
        }
        whole.findParents(RECENT).forEach(times -> ((ObjectNode) times).remove(RECENT));
        whole.findParents(LATE).forEach(part -> ((ObjectNode) part).remove(LATE));
        return whole;
    }

    /** Adds the time in which the answers came to a freshness; one that a worker does not state is unknown. */
    private static void later(ObjectNode partition, Duration waited) {
        JsonNode freshness = partition.path(FRESHNESS);
        Double aged = freshness.isNumber() ? (Double) (freshness.asDouble() + seconds(waited)) : null;
        partition.put(FRESHNESS, aged);
        // As in ShardLag.oldestUnapplied: zero is said of what is recent only.
        if (aged != null
                && (aged > seconds(ShardLag.CAUGHT_UP) || partition.path(OLDEST).asDouble() > 0)) {
            partition.put(OLDEST, aged);
        }
    }

    private static void table(ObjectNode json, TableDefinition table, List<JsonNode> parts) {
        Map<Integer, JsonNode> partitions = partitions(parts);
        json.putArray(PARTITIONS).addAll(partitions.values());
        for (JsonNode stage : json.path("stages")) {
            List<JsonNode> all = parts.stream()
                    .flatMap(part -> same(List.of(part), "stages", "stage", stage).stream())
                    .toList();
            times((ObjectNode) stage, all);
        }
        // A worker without partitions knows no rates.
        List<JsonNode> holders = parts.stream()
                .filter(part -> partitions.size() == table.partitions()
                        && !part.path(PARTITIONS).isEmpty())
                .toList();
        put(json, "arrivalPerSecond", holders, Double::sum);
        put(json, "appliedPerSecond", holders, Double::sum);
        eta(json, holders);
        json.put("paused", parts.stream().anyMatch(part -> part.path("paused").asBoolean()));
    }

    private void index(ObjectNode json, IndexParts same, List<JsonNode> answers) {
        List<JsonNode> parts = same.parts();
        same.describe(json, own.lifecycle().window());
        List<JsonNode> whole = same.missing().isEmpty() ? whole(same.home(), answers) : List.of();
        List<List<JsonNode>> all =
                same.answering().stream().map(home -> whole(home, answers)).toList();
        List<JsonNode> answering = same.missing().isEmpty() && all.stream().noneMatch(List::isEmpty)
                ? all.stream().flatMap(List::stream).toList()
                : List.of();
        IndexHealth health = answering.isEmpty() ? IndexHealth.UNKNOWN : GroupIndexes.worst(answering);
        json.put("state", health.label());
        put(json, FRESHNESS, same.isElsewhere(group.routes()) ? List.of() : answering, Math::max);
        put(json, "recordsBehind", whole, Double::sum);
        put(json, OLDEST, whole, Math::max);
        eta(json, same.missing().isEmpty() ? parts : List.of());
        json.put("entries", sum(parts, "entries"));
        json.put("quarantined", sum(parts, "quarantined"));
        times(
                (ObjectNode) json.path("visibility"),
                parts.stream().map(part -> part.path("visibility")).toList());
    }

    /** The last worker decides, of those that have to catch up; a worker of an earlier version may have to. */
    private static void eta(ObjectNode json, List<JsonNode> parts) {
        List<JsonNode> late =
                parts.stream().filter(part -> part.path(LATE).asBoolean(true)).toList();
        put(json, "etaSeconds", late, Math::max);
        json.put(
                GAINS_NOTHING,
                late.stream().anyMatch(part -> part.path(GAINS_NOTHING).asBoolean()));
    }

    /** What workers say of each partition of a table; nothing where one is missing. */
    private static List<JsonNode> whole(TableDefinition home, List<JsonNode> answers) {
        Map<Integer, JsonNode> partitions =
                partitions(same(answers, "tables", TABLE, JsonValues.object().put(TABLE, home.name())));
        // A worker lists its partitions twice, and may be given one or lose one in between.
        return partitions.size() == home.partitions() ? List.copyOf(partitions.values()) : List.of();
    }

    /** What workers say of each partition of a table. A worker that has lost one may still list it for a while. */
    private static Map<Integer, JsonNode> partitions(List<JsonNode> parts) {
        Map<Integer, JsonNode> partitions = new TreeMap<>();
        for (JsonNode part : parts) {
            part.path(PARTITIONS)
                    .forEach(one -> partitions.merge(one.path(PARTITION).asInt(), one, GroupLag::staler));
        }
        return partitions;
    }

    /** The one of two that is less fresh; an unknown freshness could be any. */
    private static JsonNode staler(JsonNode one, JsonNode other) {
        double most = Double.POSITIVE_INFINITY;
        return other.path(FRESHNESS).asDouble(most) > one.path(FRESHNESS).asDouble(most) ? other : one;
    }

    /** The largest of the percentiles: that of the whole is at most as large. */
    private static void times(ObjectNode json, List<JsonNode> parts) {
        List<JsonNode> recent = parts.stream()
                .filter(part -> part.path("meanSeconds").isNumber())
                .toList();
        double total = recent.stream()
                .mapToDouble(part -> part.path("meanSeconds").asDouble() * weight(part))
                .sum();
        json.put(COUNT, sum(parts, COUNT));
        long weights = recent.stream().mapToLong(GroupLag::weight).sum();
        json.put("meanSeconds", weights > 0 ? total / weights : null);
        for (String name : TIMES) {
            if (json.has(name)) {
                put(json, name, recent, Math::max);
            }
        }
    }

    /** How many changes a mean is of; a worker of an earlier version only says how many there were since its start. */
    private static long weight(JsonNode part) {
        return part.path(RECENT).asLong(part.path(COUNT).asLong());
    }
}
