package dev.tidemark.worker.apply;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

import dev.tidemark.catalog.DefinitionText;
import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.Generation;
import dev.tidemark.worker.store.GenerationState;
import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.ShardCheckpoint;

/**
 * The pure function from what a shard holds to the next step towards what it should hold. A generation is a wanted one
 * if its number and its definition match. A generation with the same number and another definition is foreign and is
 * dropped first.
 */
final class GenerationReconciler {
    private final DesiredTable plan;
    private final boolean derived;
    private final SortedMap<Long, Generation> wanted = new TreeMap<>();
    private final SortedMap<Long, String> texts = new TreeMap<>();
    private final Set<Long> resting;

    GenerationReconciler(DesiredTable plan) {
        this.plan = plan;
        this.derived = DerivedTable.of(plan.name()).isPresent();
        this.resting = plan.indexes().stream()
                .filter(DesiredIndex::paused)
                .map(index -> index.current().id())
                .collect(Collectors.toSet());
        plan.generations().forEach(generation -> {
            wanted.put(generation.id(), generation);
            texts.put(generation.id(), DefinitionText.of(generation.definition()));
        });
    }

    DesiredTable plan() {
        return plan;
    }

    /** The generations that are wanted and held, which are those to plan changes for. */
    SortedMap<Long, Generation> planned(ShardCheckpoint checkpoint) {
        SortedMap<Long, Generation> planned = new TreeMap<>(wanted);
        planned.keySet()
                .removeIf(id -> checkpoint
                        .generation(id)
                        .filter(status -> isWanted(status) && !(status.phase() instanceof GenerationState.Dropping))
                        .isEmpty());
        return planned;
    }

    /** A planner for them. */
    RowPlanner planner(int partition, ShardCheckpoint checkpoint) {
        return new RowPlanner(
                plan.definition(), partition, List.copyOf(planned(checkpoint).values()));
    }

    /**
     * The next step; empty when everything is as it should be.
     *
     * @param restoring whether the shard has not passed the end that the log had when it was opened
     * @param settled by generation, where the log ended when all of its copy had been read
     */
    Optional<ReconcileAction> next(
            ShardCheckpoint checkpoint, boolean restoring, Map<Long, Long> settled, Instant now) {
        for (GenerationStatus status : checkpoint.generations().values()) {
            if (status.phase() instanceof GenerationState.Dropping) {
                return Optional.of(new ReconcileAction.Drop(status.id()));
            } else if (!isWanted(status)) {
                return Optional.of(new ReconcileAction.Pass(status.in(
                        new GenerationState.Dropping(now, "generation " + status.id() + " is not wanted any more"))));
            }
        }
        if (!checkpoint.generations().keySet().containsAll(wanted.keySet())) {
            return Optional.of(new ReconcileAction.Add(wanted.keySet().stream()
                    .filter(id -> checkpoint.generation(id).isEmpty())
                    .map(id -> begun(id, checkpoint, now))
                    .toList()));
        }
        // The writer is still to state rows of a derived table before its first heartbeat.
        boolean lacks = restoring || (derived && !checkpoint.progress().isWhole());
        for (GenerationStatus status : checkpoint.generations().values()) {
            GenerationTransitions rule = new GenerationTransitions(
                    resting.contains(status.id()), lacks, Optional.ofNullable(settled.get(status.id())), now);
            GenerationState next = rule.next(status, checkpoint);
            if (!next.equals(status.phase())) {
                return Optional.of(new ReconcileAction.Pass(status.in(next)));
            }
        }
        return Optional.empty();
    }

    private GenerationStatus begun(long id, ShardCheckpoint checkpoint, Instant now) {
        String text = texts.getOrDefault(id, "");
        return checkpoint.nextOffset() == 0
                ? GenerationStatus.begun(
                        id,
                        text,
                        new GenerationState.Rebuilding(now, "the shard is read from the beginning of its topic"))
                : GenerationStatus.begun(
                        id, text, new GenerationState.Building(0, checkpoint.nextOffset(), 0, now, "it is wanted now"));
    }

    private boolean isWanted(GenerationStatus status) {
        return status.definition().equals(texts.get(status.id()));
    }
}
