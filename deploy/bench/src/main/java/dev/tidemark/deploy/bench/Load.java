package dev.tidemark.deploy.bench;

import java.time.Duration;

/**
 * Changes at a steady rate, which does not depend on their outcome: an open loop.
 *
 * @param perSecond changes a second, at least 1
 * @param burst how many are due at the same moment, at least 1
 * @param time how long; there is at least one burst
 */
public record Load(int perSecond, int burst, Duration time) {
    /** From this rate on, an application is taken to send what came up in some milliseconds at once. */
    private static final int BATCHING_FROM = 5_000;

    private static final int BURSTS_PER_SECOND = 200;

    public Load {
        if (perSecond < 1 || burst < 1) {
            throw new IllegalArgumentException("Expected a rate and a burst of 1 or more, but got " + perSecond
                    + " a second in bursts of " + burst);
        }
    }

    /** That rate, as an application would send it: single changes, or many at once when there are thousands. */
    public static Load of(int perSecond, Duration time) {
        return new Load(perSecond, perSecond < BATCHING_FROM ? 1 : perSecond / BURSTS_PER_SECOND, time);
    }

    public int bursts() {
        return (int) Math.max(1, time.toNanos() * perSecond / 1_000_000_000L / burst);
    }

    public int changes() {
        return bursts() * burst;
    }

    /** When a burst is due, from the start; the first is due at once. */
    public Duration dueAfter(int number) {
        return Duration.ofNanos((long) number * burst * 1_000_000_000L / perSecond);
    }
}
