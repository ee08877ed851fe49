package dev.tidemark.metrics;

import java.time.Duration;
import java.util.List;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;

import dev.tidemark.runtime.DurationBuckets;
import dev.tidemark.runtime.DurationCounts;

/**
 * A histogram of durations to which those of a whole batch are added at once. For any thread; the lock is held for a
 * batch.
 */
public final class BulkHistogram {
    private static final double NANOS = 1e9;

    private final DurationBuckets buckets;
    private final double[] bounds;
    private final long[] counts;
    private double sum;

    /**
     * An empty histogram.
     *
     * @param bounds the longest duration of each bucket, growing; one more for what is longer is added
     */
    public BulkHistogram(List<Duration> bounds) {
        this.buckets = new DurationBuckets(bounds);
        this.counts = new long[buckets.count()];
        this.bounds = new double[buckets.count()];
        for (int i = 0; i < bounds.size(); i++) {
            this.bounds[i] = bounds.get(i).toNanos() / NANOS;
        }
        this.bounds[bounds.size()] = Double.POSITIVE_INFINITY;
    }

    /** Adds durations, each as often as it was taken. */
    public synchronized void add(DurationCounts durations) {
        buckets.count(durations, counts);
        double added = 0;
        for (int i = 0; i < durations.size(); i++) {
            added += (double) durations.nanos(i) * durations.times(i);
        }
        sum += added / NANOS;
    }

    synchronized Reading read() {
        return new Reading(ClassicHistogramBuckets.of(bounds, counts), sum);
    }

    /** The histogram at one moment; the sum in seconds. */
    record Reading(ClassicHistogramBuckets buckets, double sum) {}
}
