package dev.tidemark.metrics;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;

/**
 * A histogram of durations to which many equal ones are added at once, because what comes in batches is alike. For any
 * thread; the lock is held for a few instructions.
 */
public final class BulkHistogram {
    private static final double NANOS = 1e9;

    private final double[] bounds;
    private final long[] counts;
    private double sum;

    /**
     * An empty histogram.
     *
     * @param bounds the longest duration of each bucket, growing; one more for what is longer is added
     */
    public BulkHistogram(List<Duration> bounds) {
        this.bounds = new double[bounds.size() + 1];
        for (int i = 0; i < bounds.size(); i++) {
            this.bounds[i] = bounds.get(i).toNanos() / NANOS;
        }
        this.bounds[bounds.size()] = Double.POSITIVE_INFINITY;
        this.counts = new long[this.bounds.length];
    }

    /** Adds a duration so many times. */
    public void add(Duration duration, int times) {
        double seconds = duration.toNanos() / NANOS;
        int found = Arrays.binarySearch(bounds, seconds);
        int bucket = found >= 0 ? found : -found - 1;
        synchronized (this) {
            counts[bucket] += times;
            sum += seconds * times;
        }
    }

    synchronized Reading read() {
        return new Reading(ClassicHistogramBuckets.of(bounds, counts), sum);
    }

    /** The histogram at one moment; the sum in seconds. */
    record Reading(ClassicHistogramBuckets buckets, double sum) {}
}
