package dev.tidemark.worker.http;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.digest.Digest;
import dev.tidemark.worker.apply.DigestFinding;
import dev.tidemark.worker.backfill.BuildProgress;
import dev.tidemark.worker.backfill.RollbackWindow;
import dev.tidemark.worker.generation.DigestEquality;
import dev.tidemark.worker.generation.LifecycleRule;
import dev.tidemark.worker.generation.LifecycleState;
import dev.tidemark.worker.generation.ShardLife;
import dev.tidemark.worker.group.ShardRoutes;
import dev.tidemark.worker.store.ShardId;

/**
 * What the workers of a replica group say of one index. A worker that follows another generation has not begun this
 * one.
 *
 * @param parts what each worker says
 * @param shards what their owners say of the shards, by partition
 */
record IndexParts(TableDefinition table, DesiredIndex plan, List<JsonNode> parts, Map<Integer, ObjectNode> shards) {
    private static final String WORKERS = "any worker of the replica group that answers";
    private static final String PARTITION = "partition";
    private static final String PART = "part";
    private static final String ROWS_PER_SECOND = "rowsPerSecond";

    /** What the parts say of an index that this worker describes; empty where the index is no longer defined. */
    static Optional<IndexParts> of(Definitions definitions, ObjectNode index, List<JsonNode> parts) {
        index.remove("shards");
        long generation = index.path("life").path("generation").asLong();
        return definitions
                .table(index.path("table").asText())
                .flatMap(table -> table.indexes().stream()
                        .filter(plan -> plan.current().id() == generation)
                        .findFirst()
                        .map(plan -> of(table.definition(), plan, parts)));
    }

    static IndexParts of(TableDefinition table, DesiredIndex plan, List<JsonNode> parts) {
        Map<Integer, ObjectNode> shards = new TreeMap<>();
        for (JsonNode part : parts) {
            boolean same = part.path("life").path("generation").asLong()
                    == plan.current().id();
            for (JsonNode shard : part.path("shards")) {
                int partition = shard.path(PARTITION).asInt();
                ObjectNode begun = shard.deepCopy();
                ObjectNode not = JsonValues.object().put(PARTITION, partition);
                not.set(PART, ShardPart.NOT_BEGUN.json());
                shards.merge(partition, same ? begun : not, IndexParts::lessReady);
            }
        }
        return new IndexParts(table, plan, parts, shards);
    }

    /** What one of two workers says of a shard: one that has lost it may still list it for a while. */
    private static ObjectNode lessReady(ObjectNode one, ObjectNode other) {
        return readySince(one).isPresent() ? other : one;
    }

    /** Those of the parts that speak of a shard. */
    List<JsonNode> holders() {
        return parts.stream().filter(part -> !part.path("shards").isEmpty()).toList();
    }

    /** Partitions of which no worker that answers says anything. */
    List<Integer> missing() {
        return IntStream.range(0, home().partitions())
                .boxed()
                .filter(partition -> !shards.containsKey(partition))
                .toList();
    }

    /** The table whose shards hold the current generation. */
    TableDefinition home() {
        return plan.current().home(table);
    }

    /**
     * The tables whose shards answer: that of the current generation once it may answer in all of them, otherwise that
     * of the generation before. Both where that may not either.
     */
    List<TableDefinition> answering() {
        Optional<TableDefinition> before = plan.previous().map(previous -> previous.home(table));
        if (before.isEmpty() || life().serves()) {
            return List.of(home());
        }
        boolean alone = own().allMatch(ShardPart::previousServes);
        return Stream.concat(alone ? Stream.empty() : Stream.of(home()), before.stream())
                .distinct()
                .toList();
    }

    /** Whether this replica group answers from the current generation in a partition. */
    boolean isReady(int partition) {
        return Optional.ofNullable(shards.get(partition))
                .flatMap(IndexParts::readySince)
                .isPresent();
    }

    /** Whether queries are asked of other replica groups, from a generation that this one does not answer from. */
    boolean isElsewhere(ShardRoutes routes) {
        long current = plan.current().id();
        return !life().serves()
                && ShardId.allOf(home()).stream()
                        .allMatch(shard -> isReady(shard.partition())
                                || routes.serves(shard, current).orElse(false));
    }

    private static Optional<Instant> readySince(ObjectNode shard) {
        return ShardPart.of(shard.path(PART)).readySince();
    }

    private Stream<ShardPart> own() {
        return shards.values().stream().map(shard -> ShardPart.of(shard.path(PART)));
    }

    LifecycleState life() {
        List<Optional<ShardLife>> open =
                own().filter(ShardPart::open).map(ShardPart::life).toList();
        return LifecycleRule.besides(
                LifecycleRule.of(open, shards.size() - open.size()), missing().size(), home().partitions(), WORKERS);
    }

    BuildProgress progress() {
        List<JsonNode> all = parts.stream().map(part -> part.path("progress")).toList();
        Optional<Double> rate = all.stream()
                .filter(one -> one.path(ROWS_PER_SECOND).isNumber())
                .map(one -> one.path(ROWS_PER_SECOND).asDouble())
                .reduce(Double::sum);
        return new BuildProgress(GroupParts.sum(all, "rowsDone"), GroupParts.sum(all, "rowsTotal"), rate);
    }

    /** When the generation before goes; empty while the current one is not ready in every partition. */
    Optional<Instant> rollbackUntil(RollbackWindow window) {
        return missing().isEmpty()
                ? window.end(plan, own().map(ShardPart::readySince).toList())
                : Optional.empty();
    }

    ObjectNode digest() {
        List<Optional<DigestFinding>> findings =
                new ArrayList<>(own().map(ShardPart::finding).toList());
        missing().forEach(partition -> findings.add(Optional.empty()));
        Digest entries = shards.values().stream()
                .flatMap(shard -> Optional.ofNullable(shard.path("digest").textValue()).stream())
                .map(Digest::parse)
                .reduce(Digest.EMPTY, Digest::plus);
        return LifecycleJson.digest(DigestEquality.of(findings), entries);
    }

    long sum(String member) {
        return GroupParts.sum(List.copyOf(shards.values()), member);
    }

    /** Puts the members in that {@link LifecycleJson#describe} puts in for this worker alone. */
    void describe(ObjectNode json, RollbackWindow window) {
        missing().forEach(json.putArray("missingPartitions")::add);
        json.set("life", LifecycleJson.life(life(), plan.current().id()));
        json.set("progress", LifecycleJson.progress(progress()));
        json.put("refused", sum("refused"));
        plan.previous().ifPresent(previous -> {
            ObjectNode before = json.putObject("previous").put("generation", previous.id());
            before.put("serves", missing().isEmpty() && own().allMatch(ShardPart::previousServes));
            rollbackUntil(window).ifPresent(end -> before.put("rollbackUntil", end.toString()));
        });
    }

    /** Puts in what users see of the shards, and of what the index has in them. */
    void describeContent(ObjectNode json) {
        ArrayNode all = json.putArray("shards");
        shards.values().forEach(shard -> all.addObject().setAll(shard.<ObjectNode>without(PART)));
        ArrayNode refused = json.putArray("refusedRows");
        List<JsonNode> contents = new ArrayList<>();
        for (JsonNode part : parts) {
            contents.add(part.path("actual"));
            for (JsonNode row : part.path("refusedRows")) {
                if (refused.size() < LifecycleJson.MOST_REFUSED) {
                    refused.add(row);
                }
            }
            if (part.has("forecast") && !json.has("forecast")) {
                json.set("forecast", part.path("forecast"));
            }
        }
        ObjectNode actual = json.putObject("actual");
        for (String figure : List.of("rows", "entries", "diskBytes", "memoryBytes", "refused")) {
            actual.put(figure, GroupParts.sum(contents, figure));
        }
        List<JsonNode> built =
                holders().stream().map(part -> part.path("actual")).toList();
        GroupParts.put(actual, "buildSeconds", built, Math::max);
    }
}
