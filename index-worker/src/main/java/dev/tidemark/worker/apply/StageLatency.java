package dev.tidemark.worker.apply;

import java.time.Duration;
import java.time.Instant;

import dev.tidemark.change.PublishTimings;

/**
 * The nanoseconds that a change took in each stage. No value is negative, and the values add up to the time from the
 * commit to the visibility. Where the clocks of writer and worker disagree, a boundary between two stages is moved to
 * its neighbour.
 */
record StageLatency(long committer, long outbox, long kafka, long queue, long apply) {
    /** Longer than anything waits: a commit time that is further off is a wrong one. */
    private static final long MOST_SECONDS = Duration.ofDays(3650).toSeconds();

    /**
     * The stage latencies of a change.
     *
     * @param timings the writer's times of the change
     * @param polled when the poll thread had it, by the writer's clock like all times here
     * @param taken when the apply thread began with it
     * @param visible when it became visible
     */
    static StageLatency of(Instant committed, PublishTimings timings, Instant polled, Instant taken, Instant visible) {
        long end = Math.max(0, nanos(committed, visible));
        long onDisk = between(0, nanos(timings.onDiskMicros()), end);
        long handedOver = between(onDisk, nanos(timings.handedOverMicros()), end);
        long arrived = between(handedOver, nanos(committed, polled), end);
        long begun = between(arrived, nanos(committed, taken), end);
        return new StageLatency(onDisk, handedOver - onDisk, arrived - handedOver, begun - arrived, end - begun);
    }

    long in(Stage stage) {
        return switch (stage) {
            case COMMITTER -> committer;
            case OUTBOX -> outbox;
            case KAFKA -> kafka;
            case QUEUE -> queue;
            case APPLY -> apply;
        };
    }

    /** The nanoseconds from the commit to being found. */
    long total() {
        return committer + outbox + kafka + queue + apply;
    }

    private static long nanos(long micros) {
        return between(0, micros, MOST_SECONDS * 1_000_000) * 1_000;
    }

    private static long nanos(Instant from, Instant to) {
        long seconds = between(-MOST_SECONDS, to.getEpochSecond() - from.getEpochSecond(), MOST_SECONDS);
        return seconds * 1_000_000_000 + to.getNano() - from.getNano();
    }

    private static long between(long least, long time, long most) {
        return Math.min(most, Math.max(least, time));
    }
}
