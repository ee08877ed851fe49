package dev.tidemark.worker.generation;

import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * The lifecycle state of a generation of an index.
 *
 * @param state the state of the shard that is furthest from being ready
 * @param since when the index entered the state; empty while unknown
 * @param cause why, as text for operators
 * @param serves whether every shard may answer from the generation, as far as the caller considers them
 * @param missing the partitions of which nothing is known, as text; empty where something is known of all
 */
public record LifecycleState(
        State state, Optional<Instant> since, String cause, boolean serves, Optional<String> missing) {

    /** A state by all partitions. */
    public LifecycleState(State state, Optional<Instant> since, String cause, boolean serves) {
        this(state, since, cause, serves, Optional.empty());
    }

    /**
     * Whether the index serves and has no fault, as far as this process knows. Its health then depends on the lag of
     * its table.
     */
    public boolean isUsual() {
        return state == State.UNKNOWN || (serves && state != State.DEGRADED);
    }

    /** From what is worst to what is best; the worst shard decides. */
    public enum State {
        UNKNOWN,
        DEGRADED,
        DROPPING,
        PAUSED,
        BUILDING,
        REBUILDING,
        VERIFYING,
        READY;

        /** As users see it: in lower case. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
