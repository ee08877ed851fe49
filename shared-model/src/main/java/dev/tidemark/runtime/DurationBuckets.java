package dev.tidemark.runtime;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * Puts durations into buckets by their length. The bucket of the duration before is tried first, because what comes
 * side by side is alike; else it is a binary search.
 */
public final class DurationBuckets {
    private final long[] bounds;

    /**
     * Buckets with these bounds.
     *
     * @param bounds the longest duration of each bucket, growing; one more bucket is for what is longer
     */
    public DurationBuckets(List<Duration> bounds) {
        this.bounds = bounds.stream().mapToLong(Duration::toNanos).toArray();
    }

    /** How many buckets there are. */
    public int count() {
        return bounds.length + 1;
    }

    /** Returns the longest duration of a bucket in nanoseconds; {@link Long#MAX_VALUE} for the last bucket. */
    public long boundNanos(int bucket) {
        return bucket < bounds.length ? bounds[bucket] : Long.MAX_VALUE;
    }

    /** Adds each of the durations to the count of its bucket. */
    public void count(DurationCounts durations, long[] counts) {
        int bucket = 0;
        for (int i = 0; i < durations.size(); i++) {
            long nanos = durations.nanos(i);
            if (nanos > boundNanos(bucket) || (bucket > 0 && nanos <= bounds[bucket - 1])) {
                int found = Arrays.binarySearch(bounds, nanos);
                bucket = found >= 0 ? found : -found - 1;
            }
            counts[bucket] += durations.times(i);
        }
    }
}
