package dev.tidemark.metrics;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;

import dev.tidemark.runtime.DurationCounts;

/**
 * A histogram of durations to which those of a whole batch are added at once. The bucket of the duration before is
 * tried first, because what comes side by side is alike. For any thread; the lock is held for a batch.
 */
public final class BulkHistogram {
    private static final double NANOS = 1e9;

    private final long[] boundNanos;
    private final long[] counts;
    private double sum;

    /**
     * An empty histogram.
     *
     * @param bounds the longest duration of each bucket, growing; one more for what is longer is added
     */
    public BulkHistogram(List<Duration> bounds) {
        this.boundNanos = LongStream.concat(bounds.stream().mapToLong(Duration::toNanos), LongStream.of(Long.MAX_VALUE))
                .toArray();
        this.counts = new long[boundNanos.length];
    }

    /** Adds durations, each as often as it was taken. */
    public synchronized void add(DurationCounts durations) {
        double added = 0;
        int bucket = 0;
        for (int i = 0; i < durations.size(); i++) {
            long nanos = durations.nanos(i);
            if (nanos > boundNanos[bucket] || (bucket > 0 && nanos <= boundNanos[bucket - 1])) {
                int found = Arrays.binarySearch(boundNanos, nanos);
                bucket = found >= 0 ? found : -found - 1;
            }
            counts[bucket] += durations.times(i);
            added += (double) nanos * durations.times(i);
        }
        sum += added / NANOS;
    }

    synchronized Reading read() {
        double[] bounds = Arrays.stream(boundNanos)
                .mapToDouble(nanos -> nanos == Long.MAX_VALUE ? Double.POSITIVE_INFINITY : nanos / NANOS)
                .toArray();
        return new Reading(ClassicHistogramBuckets.of(bounds, counts), sum);
    }

    /** The histogram at one moment; the sum in seconds. */
    record Reading(ClassicHistogramBuckets buckets, double sum) {}
}
