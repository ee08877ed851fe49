package dev.tidemark.worker.lag;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

import dev.tidemark.runtime.DurationBuckets;
import dev.tidemark.runtime.DurationCounts;

/**
 * A histogram of the durations of the last one to two minutes, beside a count of all since the start. Buckets grow by a
 * quarter each, so that a quantile is right to within a quarter.
 *
 * <p>For any thread; the lock is held while the durations of one batch are added.
 */
public final class RecentDurations {
    private static final Duration WINDOW = Duration.ofMinutes(1);
    private static final DurationBuckets BUCKETS = new DurationBuckets(bounds());

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
        private final long[] counts = new long[BUCKETS.count()];
        private double totalNanos;
        private long maxNanos;
    }

    synchronized void add(DurationCounts durations, Instant now) {
        rotate(now);
        BUCKETS.count(durations, current.counts);
        for (int i = 0; i < durations.size(); i++) {
            long nanos = durations.nanos(i);
            current.maxNanos = Math.max(current.maxNanos, nanos);
            current.totalNanos += (double) nanos * durations.times(i);
            count += durations.times(i);
        }
    }

    synchronized Summary summary(Instant now) {
        rotate(now);
        long recent = IntStream.range(0, BUCKETS.count()).mapToLong(this::in).sum();
        if (recent == 0) {
            return new Summary(count, 0, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO);
        }
        double mean = (current.totalNanos + previous.totalNanos) / recent;
        long max = Math.max(current.maxNanos, previous.maxNanos);
        return new Summary(
                count,
                recent,
                Duration.ofNanos((long) mean),
                quantile(0.5, recent, max),
                quantile(0.99, recent, max),
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

    private long in(int bucket) {
        return current.counts[bucket] + previous.counts[bucket];
    }

    private Duration quantile(double share, long total, long max) {
        long wanted = (long) Math.ceil(total * share);
        int bucket = 0;
        for (long seen = in(0); seen < wanted; seen += in(bucket)) {
            bucket++;
        }
        return Duration.ofNanos(Math.min(max, BUCKETS.boundNanos(bucket)));
    }

    /** From a tenth of a millisecond to more than an hour. */
    private static List<Duration> bounds() {
        return IntStream.range(0, 80)
                .mapToObj(step -> Duration.ofNanos((long) (100_000 * Math.pow(1.25, step))))
                .toList();
    }
}
