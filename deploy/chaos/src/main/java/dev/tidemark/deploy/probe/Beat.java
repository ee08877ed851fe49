package dev.tidemark.deploy.probe;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

import dev.tidemark.runtime.BoundedWait;

/** Makes one thread do something at regular times. What was missed while it took longer is left out. */
final class Beat {
    private final Clock clock;
    private final Duration interval;
    private Instant next;

    Beat(Clock clock, Duration interval) {
        this.clock = clock;
        this.interval = interval;
        this.next = clock.instant();
    }

    void await() throws InterruptedException {
        Instant now = clock.instant();
        if (now.isBefore(next)) {
            BoundedWait.rest(Duration.between(now, next));
            next = next.plus(interval);
        } else {
            next = now.plus(interval);
        }
    }
}
