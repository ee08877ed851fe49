package dev.tidemark.worker.lag;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** When what is late is expected to have caught up, if both rates stay as they are. */
public sealed interface CatchUpEstimate {
    /** Beyond this, an estimate from some seconds is as good as never. */
    Duration FARTHEST = Duration.ofDays(365);

    /** It is not late. */
    record NotNeeded() implements CatchUpEstimate {}

    /** It is late, and what is measured does not say for how long yet. */
    record NotKnown() implements CatchUpEstimate {}

    /** Records come as fast as they are applied, or faster. */
    record Never() implements CatchUpEstimate {}

    /** It will have caught up after that time. */
    record In(Duration left) implements CatchUpEstimate {}

    /** Estimates when one shard catches up, given the number of records that it is behind. */
    static CatchUpEstimate of(long behind, ApplyRate.Rates rates) {
        double faster = rates.applied() - rates.arrival();
        double seconds = behind / faster;
        return faster > 0 && seconds < FARTHEST.toSeconds()
                ? new In(Duration.ofMillis(Math.round(seconds * 1_000)))
                : new Never();
    }

    /** What is expected of shards together: the last of them decides, and one that never catches up decides for all. */
    static CatchUpEstimate of(List<CatchUpEstimate> shards) {
        if (shards.stream().anyMatch(Never.class::isInstance)) {
            return new Never();
        }
        if (shards.stream().anyMatch(NotKnown.class::isInstance)) {
            return new NotKnown();
        }
        return shards.stream()
                .flatMap(shard -> shard.time().stream())
                .max(Duration::compareTo)
                .<CatchUpEstimate>map(In::new)
                .orElseGet(NotNeeded::new);
    }

    /** Returns the time to catch up; empty when none is needed, when it is unknown, and when it is infinite. */
    default Optional<Duration> time() {
        return this instanceof In in ? Optional.of(in.left()) : Optional.empty();
    }
}
