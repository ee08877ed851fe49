package dev.tidemark.worker.apply;

import java.util.List;

import dev.tidemark.worker.store.GenerationStatus;

/** One step from what a shard holds to what it should hold. */
sealed interface ReconcileAction {
    /**
     * Create the stores of generations and begin their builds.
     *
     * @param begun at least one
     */
    record Add(List<GenerationStatus> begun) implements ReconcileAction {}

    /** A generation passes into another phase. */
    record Pass(GenerationStatus after) implements ReconcileAction {}

    /** Remove a generation that is in phase {@code Dropping}. */
    record Drop(long generation) implements ReconcileAction {}
}
