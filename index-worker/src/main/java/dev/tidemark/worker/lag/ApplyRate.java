package dev.tidemark.worker.lag;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * How fast records come into one partition and how fast they are applied, measured over the last seconds. Counted by
 * offsets, like the records behind, so heartbeats and what compaction took away are in. For any thread.
 */
public final class ApplyRate {
    /** Length of the measurement: long enough to smooth single batches, short enough to show the current rate. */
    private static final Duration WINDOW = Duration.ofSeconds(5);

    /** Minimum length of the measurement; a shorter one yields no rate. */
    private static final Duration LEAST = Duration.ofSeconds(2);

    /** Maximum age of the last sample; an older one yields no rate, and a new sample then starts a new measurement. */
    private static final Duration MAX_AGE = Duration.ofSeconds(3);

    private final Deque<Sample> samples = new ArrayDeque<>();

    /**
     * Records a second.
     *
     * @param arrival into the partition
     * @param applied by the shard
     */
    public record Rates(double arrival, double applied) {
        Rates plus(Rates other) {
            return new Rates(arrival + other.arrival, applied + other.applied);
        }
    }

    /** Where the partition ended and which record was next to be applied. */
    private record Sample(Instant at, long end, long next) {}

    /** Takes note; samples come in the order of their times. */
    synchronized void add(Instant at, long end, long next) {
        Sample last = samples.peekLast();
        boolean anew = last != null && (end < last.end() || next < last.next() || isLonger(last.at(), at, MAX_AGE));
        if (anew) {
            // The log was recreated, the shard is being rebuilt, or a gap hides what happened in between.
            samples.clear();
        }
        samples.addLast(new Sample(at, end, next));
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
        return Optional.of(new Rates((last.end() - first.end()) / seconds, (last.next() - first.next()) / seconds));
    }

    private static boolean reaches(Instant from, Instant to) {
        return Duration.between(from, to).compareTo(LEAST) >= 0;
    }

    private static boolean isLonger(Instant from, Instant to, Duration than) {
        return Duration.between(from, to).compareTo(than) > 0;
    }
}
