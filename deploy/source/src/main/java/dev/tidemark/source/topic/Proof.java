package dev.tidemark.source.topic;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Decides when a marker proves that rows are as fresh as its time. A marker comes behind all commits before its time
 * in the database, but other partitions may still be behind it. Where a connector writes in transactions, all that it
 * has read before the marker is in the topics once the marker can be read. So the proof is complete where every
 * partition was read to the end that it had after that. A time at which nothing was read proves in the same way that
 * all that was there by then was read.
 */
final class Proof {
    private Optional<Instant> seen = Optional.empty();
    private @Nullable Pending pending;

    /** A marker, and where all partitions ended after it was read. */
    private record Pending(Instant time, Map<Topics.Place, Long> ends) {}

    /** A marker of that time was read. */
    void see(Instant time) {
        seen = Optional.of(seen.filter(time::isBefore).orElse(time));
    }

    /** Whether the ends of partitions are needed. */
    boolean needsEnds() {
        return pending == null && seen.isPresent();
    }

    /** Takes the ends, read after the last call of {@link #see}. */
    void begin(Map<Topics.Place, Long> ends) {
        seen.ifPresent(time -> pending = new Pending(time, ends));
        seen = Optional.empty();
    }

    /** The time that is proven by what was read; empty where none is newly. */
    Optional<Instant> proven(Map<Topics.Place, Long> positions) {
        Pending waiting = pending;
        if (waiting == null || !isReached(positions, waiting.ends())) {
            return Optional.empty();
        }
        pending = null;
        return Optional.of(waiting.time());
    }

    static boolean isReached(Map<Topics.Place, Long> positions, Map<Topics.Place, Long> ends) {
        return ends.entrySet().stream().allMatch(end -> positions.getOrDefault(end.getKey(), 0L) >= end.getValue());
    }
}
