package dev.tidemark.deploy.bench;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

import dev.tidemark.runtime.BoundedWait;

/**
 * Changes at a steady rate, which does not depend on their outcome: an open loop.
 *
 * @param perSecond changes a second, at least 1
 * @param burst how many are due at the same moment, at least 1
 * @param time how long; there is at least one burst
 */
public record Load(int perSecond, int burst, Duration time) {
    private static final Duration RUN_UP = Duration.ofMillis(20);
    /** From this rate on, an application is taken to send what came up in some milliseconds at once. */
    private static final int BATCHING_FROM = 5_000;

    private static final int BURSTS_PER_SECOND = 200;

    public Load {
        if (perSecond < 1 || burst < 1) {
            throw new IllegalArgumentException("Expected a rate and a burst of 1 or more, but got " + perSecond
                    + " a second in bursts of " + burst);
        }
    }

    /** Sends a burst without waiting for its result. */
    @FunctionalInterface
    public interface Sender {
        /**
         * Sends.
         *
         * @param burst its number, from 0
         * @param due when it was to be sent; every delay counts from here
         */
        void send(int burst, Instant due);
    }

    /** That rate, as an application would send it: single changes, or many at once when there are thousands. */
    static Load of(int perSecond, Duration time) {
        return new Load(perSecond, perSecond < BATCHING_FROM ? 1 : perSecond / BURSTS_PER_SECOND, time);
    }

    int bursts() {
        return (int) Math.max(1, time.toNanos() * perSecond / 1_000_000_000L / burst);
    }

    public int changes() {
        return bursts() * burst;
    }

    /** When a burst is due, from the start; the first is due at once. */
    Duration dueAfter(int number) {
        return Duration.ofNanos((long) number * burst * 1_000_000_000L / perSecond);
    }

    /** Sends all bursts: one that could not be sent in time is sent late, but stays due when it was. */
    public void send(Clock clock, Sender sender) throws InterruptedException {
        Instant start = clock.instant().plus(RUN_UP);
        for (int number = 0; number < bursts(); number++) {
            Instant due = start.plus(dueAfter(number));
            Duration left = Duration.between(clock.instant(), due);
            if (!left.isNegative()) {
                BoundedWait.restExactly(left);
            }
            sender.send(number, due);
        }
    }
}
