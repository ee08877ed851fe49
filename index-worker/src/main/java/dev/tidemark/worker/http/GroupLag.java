package dev.tidemark.worker.http;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.DoubleBinaryOperator;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.progress.IndexHealth;
import dev.tidemark.worker.group.ShardRoutes;
import dev.tidemark.worker.query.Freshness;

import static dev.tidemark.worker.http.JsonValues.seconds;

/**
 * The lag of a whole replica group: what each worker says of its shards, put together. A table of which no worker that
 * answers has some partition has no freshness.
 *
 * @param now the writer's time; empty while that is not known
 */
public record GroupLag(
        LagJson own, ShardRoutes routes, PeerClient peers, Supplier<Catalog> catalog, Supplier<Optional<Instant>> now) {
    private static final String TABLE = "table";
    private static final String PARTITION = "partition";
    private static final String PARTITIONS = "partitions";
    private static final String COUNT = "count";
    private static final List<String> TIMES = List.of("p50Seconds", "p99Seconds", "maxSeconds");

    /** The answer of {@code GET /v1/lag}. */
    ObjectNode lag() {
        Collection<URI> others = routes.groupMembers();
        if (others.isEmpty()) {
            return own.lag();
        }
        List<CompletableFuture<Optional<JsonNode>>> asked = others.stream()
                .map(worker -> peers.read(worker, PeerRoutes.LAG))
                .toList();
        ObjectNode whole = own.part();
        List<JsonNode> parts = new ArrayList<>(List.of(whole.deepCopy()));
        asked.forEach(answer -> answer.join().ifPresent(parts::add));
        for (JsonNode table : whole.path("tables")) {
            table((ObjectNode) table, same(parts, "tables", TABLE, table));
        }
        for (JsonNode index : whole.path("indexes")) {
            catalog.get()
                    .table(index.path(TABLE).asText())
                    .ifPresent(
                            table -> index((ObjectNode) index, table, same(parts, "indexes", "index", index), parts));
        }
        return whole;
    }

    private static void table(ObjectNode json, List<JsonNode> parts) {
        Map<Integer, JsonNode> partitions = new TreeMap<>();
        for (JsonNode part : parts) {
            part.path(PARTITIONS)
                    .forEach(one -> partitions.putIfAbsent(one.path(PARTITION).asInt(), one));
        }
        json.putArray(PARTITIONS).addAll(partitions.values());
        for (JsonNode stage : json.path("stages")) {
            List<JsonNode> all = parts.stream()
                    .flatMap(part -> same(List.of(part), "stages", "stage", stage).stream())
                    .toList();
            times((ObjectNode) stage, all);
        }
        put(json, "arrivalPerSecond", parts, Double::sum);
        put(json, "appliedPerSecond", parts, Double::sum);
        put(json, "etaSeconds", parts, Math::max);
        json.put("paused", parts.stream().anyMatch(part -> part.path("paused").asBoolean()));
    }

    private void index(ObjectNode json, TableDefinition table, List<JsonNode> parts, List<JsonNode> answers) {
        Map<Integer, JsonNode> partitions = new TreeMap<>();
        for (JsonNode answer : answers) {
            for (JsonNode one : answer.path("tables")) {
                if (one.path(TABLE).asText().equals(table.name())) {
                    one.path(PARTITIONS)
                            .forEach(partition -> partitions.putIfAbsent(
                                    partition.path(PARTITION).asInt(), partition));
                }
            }
        }
        ArrayNode missing = json.putArray("missingPartitions");
        for (int partition = 0; partition < table.partitions(); partition++) {
            if (!partitions.containsKey(partition)) {
                missing.add(partition);
            }
        }
        boolean whole = missing.isEmpty();
        List<JsonNode> all = List.copyOf(partitions.values());
        json.put("state", whole ? worst(all).label() : IndexHealth.UNKNOWN.label());
        json.put("freshnessSeconds", seconds(whole ? freshness(all) : Optional.empty()));
        put(json, "recordsBehind", whole ? all : List.of(), Double::sum);
        put(json, "oldestUnappliedSeconds", whole ? all : List.of(), Math::max);
        put(json, "etaSeconds", parts, Math::max);
        json.put("entries", sum(parts, "entries"));
        json.put("quarantined", sum(parts, "quarantined"));
        times(
                (ObjectNode) json.path("visibility"),
                parts.stream().map(part -> part.path("visibility")).toList());
    }

    private static IndexHealth worst(List<JsonNode> partitions) {
        return Freshness.worst(partitions.stream()
                .map(one -> IndexHealth.valueOf(one.path("state").asText().toUpperCase(Locale.ROOT)))
                .toList());
    }

    /** Time since the least watermark; empty where one is not known, or the writer's time is not. */
    private Optional<Duration> freshness(List<JsonNode> partitions) {
        boolean known =
                partitions.stream().allMatch(one -> one.path("completeUpTo").isTextual());
        Optional<Instant> least = partitions.stream()
                .filter(one -> known)
                .map(one -> Instant.parse(one.path("completeUpTo").asText()))
                .min(Instant::compareTo);
        return least.flatMap(watermark -> now.get().map(time -> Duration.between(watermark, time)))
                .map(age -> age.isNegative() ? Duration.ZERO : age);
    }

    /** The largest of the percentiles: that of the whole is at most as large. */
    private static void times(ObjectNode json, List<JsonNode> parts) {
        long count = sum(parts, COUNT);
        double total = parts.stream()
                .mapToDouble(part ->
                        part.path("meanSeconds").asDouble() * part.path(COUNT).asLong())
                .sum();
        json.put(COUNT, count);
        boolean known = parts.stream().anyMatch(part -> part.path("meanSeconds").isNumber());
        json.put("meanSeconds", known && count > 0 ? total / count : null);
        for (String name : TIMES) {
            if (json.has(name)) {
                List<JsonNode> some = parts.stream()
                        .filter(part -> part.path(name).isNumber())
                        .toList();
                put(json, name, some, Math::max);
            }
        }
    }

    /** A figure of all parts; null where there is none, or one is not known. */
    private static void put(ObjectNode json, String name, List<JsonNode> parts, DoubleBinaryOperator together) {
        boolean known = !parts.isEmpty()
                && parts.stream().allMatch(part -> part.path(name).isNumber());
        boolean exact = known && parts.stream().allMatch(part -> part.path(name).isIntegralNumber());
        double value = known
                ? parts.stream()
                        .mapToDouble(part -> part.path(name).asDouble())
                        .reduce(together)
                        .orElse(0)
                : 0;
        if (exact) {
            json.put(name, (long) value);
        } else {
            json.put(name, known ? (Double) value : null);
        }
    }

    private static long sum(List<JsonNode> parts, String name) {
        return parts.stream().mapToLong(part -> part.path(name).asLong()).sum();
    }

    private static List<JsonNode> same(List<JsonNode> parts, String list, String name, JsonNode one) {
        List<JsonNode> found = new ArrayList<>();
        for (JsonNode part : parts) {
            for (JsonNode each : part.path(list)) {
                if (each.path(name).equals(one.path(name))) {
                    found.add(each);
                }
            }
        }
        return found;
    }
}
