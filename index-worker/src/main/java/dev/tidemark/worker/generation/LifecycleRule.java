package dev.tidemark.worker.generation;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import dev.tidemark.worker.generation.LifecycleState.State;
import dev.tidemark.worker.store.GenerationState;

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
     * @param shards what each open shard says of it; empty if the shard does not hold it yet
     * @param closed the number of other shards, which are not open
     */
    public static LifecycleState of(List<Optional<ShardLife>> shards, int closed) {
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
        List<ShardLife> held = shards.stream().flatMap(Optional::stream).toList();
        State worst = held.stream()
                .map(ShardLife::state)
                .min(Comparator.naturalOrder())
                .orElse(State.UNKNOWN);
        // It is ready since its last shard is, and in any other state since its first one is.
        Comparator<ShardLife> bySince = Comparator.comparing(ShardLife::since);
        Optional<ShardLife> decisive = held.stream()
                .filter(shard -> shard.state() == worst)
                .min(worst == State.READY ? bySince.reversed() : bySince);
        boolean serves = held.stream().allMatch(ShardLife::serves);
        return new LifecycleState(
                worst,
                decisive.map(ShardLife::since),
                decisive.map(shard -> cause(shard, held)).orElse(""),
                serves);
    }

    /**
     * The lifecycle state of a generation of which nothing is known in some partitions. The generation counts as not
     * serving as a whole, because it may be further from being ready in these partitions.
     *
     * @param known the state by the other partitions
     * @param missing the number of partitions of which nothing is known
     * @param partitions the number of all partitions
     * @param where which workers were looked at
     */
    public static LifecycleState besides(LifecycleState known, int missing, int partitions, String where) {
        if (missing == 0 || known.state() == State.UNKNOWN) {
            return known;
        }
        String unseen = missing + " of the " + partitions + " partitions of its table are not at " + where;
        return known.state() == State.READY
                ? new LifecycleState(State.UNKNOWN, Optional.empty(), unseen, false)
                : new LifecycleState(known.state(), known.since(), known.cause(), false, Optional.of(unseen));
    }

    private static String cause(ShardLife decisive, List<ShardLife> held) {
        long refused = held.stream().mapToLong(ShardLife::refused).sum();
        return decisive.refusing() && refused > 0
                ? "the index cannot hold " + refused + (refused == 1 ? " row" : " rows") + " of its table"
                : decisive.cause();
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
