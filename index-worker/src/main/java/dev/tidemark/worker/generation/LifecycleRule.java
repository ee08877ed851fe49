package dev.tidemark.worker.generation;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import dev.tidemark.worker.generation.LifecycleState.State;
import dev.tidemark.worker.store.GenerationState;
import dev.tidemark.worker.store.GenerationStatus;

/** The state of an index, from that of its shards. */
public final class LifecycleRule {
    private static final LifecycleState NOWHERE =
            new LifecycleState(State.UNKNOWN, Optional.empty(), "no partition of its table is here", false);
    private static final LifecycleState NOT_BEGUN =
            new LifecycleState(State.BUILDING, Optional.empty(), "a shard has not begun it yet", false);

    private LifecycleRule() {}

    /**
     * The lifecycle state of a generation.
     *
     * @param shards the state of the generation in each open shard of this worker; empty if the shard does not hold it
     *     yet
     * @param closed the number of shards of this worker that are not open
     */
    public static LifecycleState of(List<Optional<GenerationStatus>> shards, int closed) {
        if (shards.isEmpty() && closed == 0) {
            return NOWHERE;
        }
        if (closed > 0) {
            return new LifecycleState(
                    State.UNKNOWN, Optional.empty(), closed + " of its shards here are being opened", false);
        }
        if (shards.stream().anyMatch(Optional::isEmpty)) {
            return NOT_BEGUN;
        }
        List<GenerationStatus> held = shards.stream().flatMap(Optional::stream).toList();
        State worst = held.stream()
                .map(LifecycleRule::of)
                .min(Comparator.naturalOrder())
                .orElse(State.UNKNOWN);
        // It is ready since its last shard is, and in any other state since its first one is.
        Comparator<GenerationState> bySince = Comparator.comparing(GenerationState::since);
        Optional<GenerationState> decisive = held.stream()
                .filter(status -> of(status) == worst)
                .map(GenerationStatus::phase)
                .min(worst == State.READY ? bySince.reversed() : bySince);
        Optional<Instant> since = decisive.map(GenerationState::since);
        boolean serves = held.stream().allMatch(GenerationStatus::serves);
        return new LifecycleState(
                worst, since, decisive.map(phase -> cause(phase, held)).orElse(""), serves);
    }

    /**
     * The lifecycle state of a generation of which some partitions are at other workers. The generation counts as not
     * serving as a whole, because the other partitions are unknown here and may be further from being ready.
     *
     * @param here the state by the shards of this worker
     * @param elsewhere the number of partitions at other workers
     * @param partitions the number of all partitions
     */
    static LifecycleState besides(LifecycleState here, int elsewhere, int partitions) {
        if (elsewhere == 0 || here.state() == State.UNKNOWN) {
            return here;
        }
        return here.state() == State.READY
                ? new LifecycleState(
                        State.UNKNOWN,
                        Optional.empty(),
                        elsewhere + " of the " + partitions + " partitions of its table are not at this worker",
                        false)
                : new LifecycleState(here.state(), here.since(), here.cause(), false);
    }

    private static String cause(GenerationState phase, List<GenerationStatus> held) {
        long refused =
                held.stream().mapToLong(status -> status.tally().refused()).sum();
        return phase instanceof GenerationState.Degraded degraded && degraded.refusing() && refused > 0
                ? "the index cannot hold " + refused + (refused == 1 ? " row" : " rows") + " of its table"
                : phase.cause();
    }

    private static State of(GenerationStatus status) {
        return status.isRestoring() ? State.REBUILDING : of(status.phase());
    }

    /** The state that a phase of one shard is. */
    public static State of(GenerationState phase) {
        if (phase instanceof GenerationState.Building) {
            return State.BUILDING;
        } else if (phase instanceof GenerationState.Paused) {
            return State.PAUSED;
        } else if (phase instanceof GenerationState.Verifying) {
            return State.VERIFYING;
        } else if (phase instanceof GenerationState.Ready) {
            return State.READY;
        } else if (phase instanceof GenerationState.Degraded) {
            return State.DEGRADED;
        }
        return phase instanceof GenerationState.Rebuilding ? State.REBUILDING : State.DROPPING;
    }
}
