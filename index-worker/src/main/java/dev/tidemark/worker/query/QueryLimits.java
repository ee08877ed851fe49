package dev.tidemark.worker.query;

import java.time.Duration;

/**
 * What one question may ask for.
 *
 * @param page most entries of one answer, at least 1; more is refused as {@code tidemark:limit-too-large}
 * @param longestWait longest time to wait for an answer that is recent enough; more is refused as
 *     {@code tidemark:wait-too-long}
 */
public record QueryLimits(int page, Duration longestWait) {
    /** Unless it is set otherwise. */
    public static final QueryLimits USUAL = new QueryLimits(10_000, Duration.ofSeconds(30));

    /** How long to wait when nothing is said. */
    Duration presetWait() {
        return ReadConsistency.USUAL_WAIT.compareTo(longestWait) < 0 ? ReadConsistency.USUAL_WAIT : longestWait;
    }
}
