package dev.tidemark.worker.query;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

import dev.tidemark.row.RowVersion;

/**
 * How recent an answer must be.
 *
 * @param versions by partition, what must be in it; from a token
 * @param maxStaleness how old it may be; empty for any age
 * @param patience how long to wait for that
 */
public record ReadConsistency(Map<Integer, RowVersion> versions, Optional<Duration> maxStaleness, Duration patience) {
    /** Waits as long when nothing is said. */
    public static final Duration USUAL_WAIT = Duration.ofSeconds(2);

    /** Any answer will do. */
    public static final ReadConsistency NONE = new ReadConsistency(Map.of(), Optional.empty(), USUAL_WAIT);

    public ReadConsistency {
        versions = Map.copyOf(versions);
    }
}
