package dev.tidemark.worker.lag;

import java.time.Duration;
import java.time.Instant;

/**
 * A histogram of the durations of the last one to two minutes, beside a count of all since the start. Buckets grow by a
 * quarter each, so that a quantile is right to within a quarter.
 *
 * <p>Every method holds the lock for a few instructions, except {@link #summary}, which adds up some hundred numbers.
 */
public final class RecentTimes {
    private static final Duration WINDOW = Duration.ofMinutes(1);
    private static final double GROWTH = 1.25;
    private static final double FIRST_SECONDS = 0.000_1;
    private static final int BUCKETS = 80;

    private long[] current = new long[BUCKETS];
    private long[] previous = new long[BUCKETS];
    private Duration currentMax = Duration.ZERO;
    private Duration previousMax = Duration.ZERO;
    private Instant rotated = Instant.EPOCH;
    private double currentSeconds;
    private double previousSeconds;
    private long count;

    /**
     * What the times look like.
     *
     * @param count how many there were since the start
     * @param mean of the recent ones
     * @param p50 half of the recent ones were at most this long
     * @param p99 all but a hundredth of the recent ones were at most this long
     * @param max the longest recent one
     */
    public record Summary(long count, Duration mean, Duration p50, Duration p99, Duration max) {
        /** No times yet. */
        public static final Summary NONE = new Summary(0, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO);
    }

    /** Adds a time that so many things took. */
    synchronized void add(Duration time, int times, Instant now) {
        rotate(now);
        current[bucket(time)] += times;
        currentMax = longer(currentMax, time);
        currentSeconds += seconds(time) * times;
        count += times;
    }

    synchronized Summary summary(Instant now) {
        rotate(now);
        Duration max = longer(currentMax, previousMax);
        return new Summary(count, mean(), quantile(0.5, max), quantile(0.99, max), max);
    }

    private void rotate(Instant now) {
        Duration age = Duration.between(rotated, now);
        if (age.compareTo(WINDOW) < 0) {
            return;
        }
        boolean longSilent = age.compareTo(WINDOW.multipliedBy(2)) >= 0;
        previous = longSilent ? new long[BUCKETS] : current;
        previousMax = longSilent ? Duration.ZERO : currentMax;
        previousSeconds = longSilent ? 0 : currentSeconds;
        current = new long[BUCKETS];
        currentSeconds = 0;
        currentMax = Duration.ZERO;
        rotated = now;
    }

    private Duration mean() {
        long total = total();
        return total == 0 ? Duration.ZERO : Duration.ofNanos((long) ((currentSeconds + previousSeconds) / total * 1e9));
    }

    private long total() {
        long total = 0;
        for (int i = 0; i < BUCKETS; i++) {
            total += current[i] + previous[i];
        }
        return total;
    }

    private Duration quantile(double share, Duration max) {
        long total = total();
        long wanted = (long) Math.ceil(total * share);
        long seen = 0;
        for (int i = 0; i < BUCKETS && total > 0; i++) {
            seen += current[i] + previous[i];
            if (seen >= wanted) {
                Duration bound = Duration.ofNanos((long) (FIRST_SECONDS * Math.pow(GROWTH, i) * 1e9));
                return bound.compareTo(max) < 0 ? bound : max;
            }
        }
        return max;
    }

    private static int bucket(Duration time) {
        int bucket = (int) Math.ceil(Math.log(seconds(time) / FIRST_SECONDS) / Math.log(GROWTH));
        return Math.max(0, Math.min(BUCKETS - 1, bucket));
    }

    private static double seconds(Duration time) {
        return time.toNanos() / 1e9;
    }

    private static Duration longer(Duration a, Duration b) {
        return a.compareTo(b) >= 0 ? a : b;
    }
}
