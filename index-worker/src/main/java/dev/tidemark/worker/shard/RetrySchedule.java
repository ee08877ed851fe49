package dev.tidemark.worker.shard;

import java.time.Duration;
import java.time.Instant;

/** When something that failed is tried again: after pauses that grow. For one thread. */
public final class RetrySchedule {
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    private Instant next = Instant.MIN;
    private Duration pause = FIRST_PAUSE;

    /** Whether it may be tried now. */
    public boolean isDue(Instant now) {
        return !now.isBefore(next);
    }

    /** It failed; how long it rests. */
    public Duration failed(Instant now) {
        Duration rest = pause;
        next = now.plus(rest);
        Duration longer = pause.multipliedBy(2);
        pause = longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer;
        return rest;
    }

    /** It went well. */
    public void succeeded() {
        pause = FIRST_PAUSE;
    }
}
