package dev.tidemark.worker.shard;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.runtime.Agent;

/** Removes what the process no longer needs, once a minute, so that a process that runs for months stays bounded. */
public final class HousekeepingAgent implements Agent {
    private static final Logger LOGGER = LoggerFactory.getLogger(HousekeepingAgent.class);
    private static final Duration EVERY = Duration.ofMinutes(1);

    private final List<Runnable> steps;
    private final Clock clock;
    private Instant next;

    /**
     * An agent whose first turn is a minute from now.
     *
     * @param steps what is done, each even where another one fails
     */
    public HousekeepingAgent(List<Runnable> steps, Clock clock) {
        this.steps = List.copyOf(steps);
        this.clock = clock;
        this.next = clock.instant().plus(EVERY);
    }

    @Override
    public String roleName() {
        return "tidy";
    }

    @Override
    public int doWork() {
        if (clock.instant().isBefore(next)) {
            return 0;
        }
        for (Runnable step : steps) {
            try {
                step.run();
            } catch (RuntimeException e) {
                LOGGER.warn("Tidying up failed, and is tried again in {} s", EVERY.toSeconds(), e);
            }
        }
        next = clock.instant().plus(EVERY);
        return 1;
    }
}
