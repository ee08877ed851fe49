package dev.tidemark.worker.lag;

import java.time.Duration;
import java.time.Instant;

import org.HdrHistogram.Histogram;

import dev.tidemark.runtime.DurationCounts;

/**
 * The durations of the last one to two minutes, beside a count of all since the start. Mean and longest are exact. A
 * quantile is right to within a tenth.
 *
 * <p>For any thread; the lock is held while the durations of one batch are added.
 */
public final class RecentDurations {
    private static final Duration WINDOW = Duration.ofMinutes(1);
    private static final long SHORTEST_NANOS = 1_000;

    private Window current = new Window();
    private Window previous = new Window();
    private Instant rotated = Instant.EPOCH;
    private long count;

    /**
     * What the times look like.
     *
     * @param count how many there were since the start
     * @param recent how many of them the rest is about; when there are none, it is zero and says nothing
     * @param mean of the recent ones
     * @param p50 half of the recent ones were at most this long
     * @param p99 all but a hundredth of the recent ones were at most this long
     * @param max the longest recent one
     */
    public record Summary(long count, long recent, Duration mean, Duration p50, Duration p99, Duration max) {
        /** No times yet. */
        public static final Summary NONE =
                new Summary(0, 0, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO);
    }

    /** What came in one window of time. */
    private static final class Window {
        private final Histogram durations = new Histogram(SHORTEST_NANOS, Long.MAX_VALUE, 1);
        private double totalNanos;
        private long maxNanos;

        void add(long nanos, int times) {
            durations.recordValueWithCount(nanos, times);
            totalNanos += (double) nanos * times;
            maxNanos = Math.max(maxNanos, nanos);
        }
    }

    synchronized void add(DurationCounts durations, Instant now) {
        rotate(now);
        for (int i = 0; i < durations.size(); i++) {
            current.add(durations.nanos(i), durations.times(i));
            count += durations.times(i);
        }
    }

    synchronized Summary summary(Instant now) {
        rotate(now);
        Histogram both = current.durations.copy();
        both.add(previous.durations);
        long recent = both.getTotalCount();
        if (recent == 0) {
            return new Summary(count, 0, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO);
        }
        double mean = (current.totalNanos + previous.totalNanos) / recent;
        long max = Math.max(current.maxNanos, previous.maxNanos);
        return new Summary(
                count,
                recent,
                Duration.ofNanos((long) mean),
                Duration.ofNanos(Math.min(max, both.getValueAtPercentile(50))),
                Duration.ofNanos(Math.min(max, both.getValueAtPercentile(99))),
                Duration.ofNanos(max));
    }

    private void rotate(Instant now) {
        Duration age = Duration.between(rotated, now);
        if (age.compareTo(WINDOW) >= 0) {
            previous = age.compareTo(WINDOW.multipliedBy(2)) >= 0 ? new Window() : current;
            current = new Window();
            rotated = now;
        }
    }
}
