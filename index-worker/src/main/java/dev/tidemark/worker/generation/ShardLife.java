package dev.tidemark.worker.generation;

import java.time.Instant;

import dev.tidemark.worker.generation.LifecycleState.State;
import dev.tidemark.worker.store.GenerationState;
import dev.tidemark.worker.store.GenerationStatus;

/**
 * What a shard says of one generation of an index, as far as the state of the index depends on it.
 *
 * @param since when the state began
 * @param refusing whether the generation is degraded because it cannot hold rows
 * @param refused number of these rows
 */
public record ShardLife(State state, Instant since, String cause, boolean refusing, long refused, boolean serves) {
    /** What the status of a generation in a shard says. */
    public static ShardLife of(GenerationStatus status) {
        GenerationState phase = status.phase();
        return new ShardLife(
                status.isRestoring() ? State.REBUILDING : LifecycleRule.of(phase),
                phase.since(),
                phase.cause(),
                phase instanceof GenerationState.Degraded degraded && degraded.refusing(),
                status.tally().refused(),
                status.serves());
    }

    /** The same while the writer states the rows of the index, or is to rest from it. */
    ShardLife filled(boolean paused) {
        return new ShardLife(
                paused ? State.PAUSED : State.BUILDING,
                since,
                paused ? "paused by an operator" : "the writer places its rows",
                refusing,
                refused,
                serves);
    }
}
