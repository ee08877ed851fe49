package dev.tidemark.runtime;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does the same at intervals, each step even where another one fails. */
public final class PeriodicAgent implements Agent {
    private static final Logger LOGGER = LoggerFactory.getLogger(PeriodicAgent.class);

    private final String roleName;
    private final Duration interval;
    private final List<Runnable> steps;
    private final Clock clock;
    private Instant next;

    /**
     * An agent that has done nothing yet.
     *
     * @param delay when the first turn is, from now
     * @param interval from one turn to the next, at least
     */
    public PeriodicAgent(String roleName, Duration delay, Duration interval, List<Runnable> steps, Clock clock) {
        this.roleName = roleName;
        this.interval = interval;
        this.steps = List.copyOf(steps);
        this.clock = clock;
        this.next = clock.instant().plus(delay);
    }

    @Override
    public String roleName() {
        return roleName;
    }

    @Override
    public int doWork() {
        if (clock.instant().isBefore(next)) {
            return 0;
        }
        next = clock.instant().plus(interval);
        for (Runnable step : steps) {
            try {
                step.run();
            } catch (RuntimeException e) {
                LOGGER.warn("A step of {} failed, and is tried again in {} ms", roleName, interval.toMillis(), e);
            }
        }
        return 1;
    }
}
