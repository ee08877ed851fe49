package dev.tidemark.worker.lag;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * How fast records come into one partition, how fast they are applied, and how often queries read the shard, measured
 * over the last seconds. Records are counted by offsets, like the records behind, so heartbeats and what compaction
 * took away are in. For any thread.
 */
public final class ApplyRate {
    /** Length of the measurement: long enough to smooth single batches, short enough to show the current rate. */
    private static final Duration WINDOW = Duration.ofSeconds(5);

    /** Minimum length of the measurement; a shorter one yields no rate. */
    private static final Duration LEAST = Duration.ofSeconds(2);

    /** Maximum age of the last sample; an older one yields no rate, and a new sample then starts a new measurement. */
    private static final Duration MAX_AGE = Duration.ofSeconds(3);

    private final Deque<Sample> samples = new ArrayDeque<>();
    private final LongAdder queries = new LongAdder();

    /**
     * Records and queries a second.
     *
     * @param arrival of records into the partition
     * @param applied records, by the shard
     * @param queries that read the shard
     */
    public record Rates(double arrival, double applied, double queries) {
        Rates plus(Rates other) {
            return new Rates(arrival + other.arrival, applied + other.applied, queries + other.queries);
        }
    }

    /** Where the partition ended, which record was next to be applied, and how many queries had read the shard. */
    private record Sample(Instant at, long end, long next, long queries) {}

    /** A query has read the shard. */
    void queried() {
        queries.increment();
    }

    /** Takes note; samples come in the order of their times. */
    synchronized void add(Instant at, long end, long next) {
        Sample last = samples.peekLast();
        boolean anew = last != null && (end < last.end() || next < last.next() || isLonger(last.at(), at, MAX_AGE));
        if (anew) {
            // The log was recreated, the shard is being rebuilt, or a gap hides what happened in between.
            samples.clear();
        }
        samples.addLast(new Sample(at, end, next, queries.sum()));
        while (isLonger(samples.getFirst().at(), at, WINDOW)) {
            samples.removeFirst();
        }
    }

    /** Returns the rates; empty in the first seconds, and when the last sample is too old. */
    synchronized Optional<Rates> rates(Instant now) {
        Sample first = samples.peekFirst();
        Sample last = samples.peekLast();
        if (first == null || last == null || isLonger(last.at(), now, MAX_AGE) || !reaches(first.at(), last.at())) {
            return Optional.empty();
        }
        double seconds = Duration.between(first.at(), last.at()).toNanos() / 1e9;
        return Optional.of(new Rates(
                (last.end() - first.end()) / seconds,
                (last.next() - first.next()) / seconds,
                (last.queries() - first.queries()) / seconds));
    }

    private static boolean reaches(Instant from, Instant to) {
        return Duration.between(from, to).compareTo(LEAST) >= 0;
    }

    private static boolean isLonger(Instant from, Instant to, Duration than) {
        return Duration.between(from, to).compareTo(than) > 0;
    }
}
