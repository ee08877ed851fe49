package dev.tidemark.deploy.probe;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

import dev.tidemark.runtime.Agent;
import dev.tidemark.runtime.BoundedWait;

/** Does one thing at regular times. What was missed while it took longer is left out. */
final class Poller implements Agent {
    private final String name;
    private final Clock clock;
    private final Duration interval;
    private final Step step;
    private Instant next;

    /** What is done. */
    interface Step {
        void run() throws InterruptedException;
    }

    Poller(String name, Clock clock, Duration interval, Step step) {
        this.name = name;
        this.clock = clock;
        this.interval = interval;
        this.step = step;
        this.next = clock.instant();
    }

    @Override
    public String roleName() {
        return name;
    }

    @Override
    public int doWork() throws InterruptedException {
        Instant now = clock.instant();
        if (now.isBefore(next)) {
            BoundedWait.rest(Duration.between(now, next));
            next = next.plus(interval);
        } else {
            next = now.plus(interval);
        }
        step.run();
        return 1;
    }
}
