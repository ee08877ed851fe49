package dev.tidemark.worker.clocks;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What the writer's commit clock shows, as far as this process knows. For any thread; must not block. */
@FunctionalInterface
public interface WriterClock {
    /** Both clocks show the same: good where nothing better is known. */
    WriterClock SAME = local -> local;

    /**
     * An upper bound of the time that the writer's clock showed when this process's clock showed the given time. While
     * the difference is uncertain, the later time is returned, so that an age computed with it is too large rather than
     * too small.
     */
    Instant at(Instant local);

    /**
     * The time that the writer's clock most likely showed then. It is for durations that are reported as measured: the
     * margin of {@link #at} would lengthen them by a round trip to the writer. Ages that must not be too small use
     * {@link #at}.
     */
    default Instant likely(Instant local) {
        return skew().map(local::plus).orElseGet(() -> at(local));
    }

    /**
     * Whether {@link #at} is reliable now. It is unreliable for a while after the start, unless the writer answers
     * earlier. It is also unreliable while the writer has not answered and its clock is known to be far ahead.
     */
    default boolean isKnown() {
        return true;
    }

    /**
     * How far the writer's clock most likely is ahead of this one's; negative when behind, empty when it is unknown.
     */
    default Optional<Duration> skew() {
        return Optional.empty();
    }

    /**
     * The latest time that a record of the writer can have if it was received when this process's clock showed the
     * given time. A record with a later time is refused. {@link Instant#MAX} if no bound is known.
     */
    default Instant latest(Instant local) {
        return Instant.MAX;
    }

    /**
     * A record with a later time than {@link #latest} was received, so the writer should be queried for its time soon.
     */
    default void doubt() {}

    /** The writer's last answer about the versions that it has assigned; empty if there was none. */
    default Optional<CommitBound> bound() {
        return Optional.empty();
    }

    /** A time of the writer was received: its clock showed no less when this process's clock showed the given time. */
    default void seen(Instant writer, Instant local) {}
}
