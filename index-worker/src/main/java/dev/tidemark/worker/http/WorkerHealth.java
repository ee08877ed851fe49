package dev.tidemark.worker.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.http.Health;
import dev.tidemark.worker.apply.ShardStatus;
import dev.tidemark.worker.shard.CopyProgress;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.shard.Shards;

/**
 * Whether requests should go to this process. Not before every topic is known, something is assigned, and each shard
 * has passed the end that its partition had at first. From then on a topic or a shard that is not well is a note:
 * queries of its table say so themselves, and those of others are answered. A worker none of whose shards is well is
 * not ready.
 */
public final class WorkerHealth implements Health {
    private static final long MEGABYTE = 1_000_000;

    private final BooleanSupplier defined;
    private final Supplier<Optional<String>> definitionTrouble;
    private final Shards shards;
    private final Supplier<Map<String, String>> topicProblems;
    private final BooleanSupplier settled;
    private final BooleanSupplier routed;
    private final Supplier<List<String>> agentFailures;
    private volatile boolean wasReady;

    /**
     * The health of a worker.
     *
     * @param defined whether the definitions are known
     * @param definitionTrouble what keeps newer definitions from coming into force
     * @param topicProblems what is wrong with topics, by table
     * @param settled whether it is decided which partitions are this worker's
     * @param routed whether it is known which partitions other workers have
     * @param agentFailures why threads stopped that should not have
     */
    public WorkerHealth(
            BooleanSupplier defined,
            Supplier<Optional<String>> definitionTrouble,
            Shards shards,
            Supplier<Map<String, String>> topicProblems,
            BooleanSupplier settled,
            BooleanSupplier routed,
            Supplier<List<String>> agentFailures) {
        this.defined = defined;
        this.definitionTrouble = definitionTrouble;
        this.shards = shards;
        this.topicProblems = topicProblems;
        this.settled = settled;
        this.routed = routed;
        this.agentFailures = agentFailures;
    }

    @Override
    public List<Check> readiness() {
        List<Check> checks = new ArrayList<>();
        agentFailures.get().forEach(failure -> checks.add(Check.unwell("threads", failure)));
        checks.add(definitions());
        if (!settled.getAsBoolean()) {
            checks.add(Check.unwell("assignment", "the consumer group has not settled yet"));
        }
        if (!routed.getAsBoolean()) {
            checks.add(Check.unwell("workers", "what other workers have noted has not been read yet"));
        }
        List<Check> held = shards.assigned().stream().map(this::check).toList();
        if (held.isEmpty()) {
            checks.add(Check.unwell("shards", "no partition is assigned to this worker yet"));
        }
        List<Check> parts = new ArrayList<>();
        new TreeMap<>(topicProblems.get())
                .forEach((table, problem) -> parts.add(topic(table, "table " + table + " " + problem)));
        parts.addAll(held);
        wasReady |= areWell(checks) && areWell(parts);
        boolean serves = wasReady && held.stream().anyMatch(WorkerHealth::isWell);
        parts.forEach(part -> checks.add(serves ? noted(part) : part));
        return checks;
    }

    /** What is wrong with a topic. A global index without a topic is being built, which keeps no other from answers. */
    private static Check topic(String table, String problem) {
        return DerivedTable.of(table).isPresent() ? Check.noted("topics", problem) : Check.unwell("topics", problem);
    }

    private static boolean areWell(List<Check> checks) {
        return checks.stream().allMatch(WorkerHealth::isWell);
    }

    private static boolean isWell(Check check) {
        return check.problem().isEmpty();
    }

    /** What is here is rounded down, and the whole up, so that both are the same only once all is here. */
    private static String taking(CopyProgress copy) {
        long here = copy.copiedBytes() / MEGABYTE;
        long whole = (copy.copyBytes() + MEGABYTE - 1) / MEGABYTE;
        return "takes a copy from " + copy.from() + ": " + here + " of " + whole + " MB";
    }

    private static Check noted(Check part) {
        return part.problem().map(problem -> Check.noted(part.name(), problem)).orElse(part);
    }

    private Check definitions() {
        Optional<String> trouble = definitionTrouble.get();
        if (!defined.getAsBoolean()) {
            return Check.unwell("definitions", "are not known yet; " + trouble.orElse("the writer publishes them"));
        }
        return trouble.map(what -> Check.noted("definitions", what)).orElseGet(() -> Check.well("definitions"));
    }

    private Check check(OpenShard shard) {
        String name = "shard " + shard.id();
        Optional<String> copy = shards.copying(shard.id()).map(WorkerHealth::taking);
        if (shard.isAnsweredByPredecessor()) {
            return Check.noted(name, "answers with what it was, and " + copy.orElse("is built again"));
        }
        if (copy.isPresent()) {
            return Check.unwell(name, copy.get());
        }
        if (shard.failure().isPresent()) {
            return Check.unwell(
                    name, "failed and is opened again: " + shard.failure().get());
        }
        if (shard.status().isEmpty()) {
            return Check.unwell(name, "is being opened");
        }
        ShardStatus status = shard.status().get();
        if (status.restoring()) {
            return Check.unwell(
                    name, "catches up, is at offset " + status.checkpoint().nextOffset());
        }
        if (status.isBeingFilled() && DerivedTable.of(shard.id().table()).isPresent()) {
            return Check.noted(name, "has not got every row of its index from the writer yet");
        }
        if (status.checkpoint().isRestoring()) {
            return Check.unwell(name, "was built again from its topic, and its indexes do not answer yet");
        }
        List<String> notes = new ArrayList<>();
        // Answers say how stale they are, so the worker stays in service.
        shard.unread().ifPresent(reason -> notes.add("answers, but its partition is not read: " + reason));
        if (status.checkpoint().quarantined() > 0) {
            notes.add(status.checkpoint().quarantined() + " records are in quarantine, see /v1/quarantine");
        }
        status.refusals()
                .last()
                .ifPresent(last -> notes.add(status.refusals().count()
                        + " records were not believed since it was opened, the last: " + last));
        return notes.isEmpty() ? Check.well(name) : Check.noted(name, String.join("; ", notes));
    }
}
