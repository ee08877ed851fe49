package dev.tidemark.worker.apply;

import java.time.Duration;
import java.time.Instant;

import dev.tidemark.change.Handover;

/**
 * The time that changes took in each stage; those that took the same way at the same times are told together. None is
 * negative, and they add up to the time from the commit to being found: where the clocks of writer and worker disagree, a
 * boundary between two stages is moved to its neighbour.
 *
 * @param changes how many they were, at least 1
 */
public record Passage(
        int changes, Duration committer, Duration outbox, Duration kafka, Duration queue, Duration apply) {
    /**
     * The passage of changes.
     *
     * @param handover what the writer says of them
     * @param polled when the poll thread had them, by the writer's clock like all times here
     * @param taken when the apply thread began with them
     * @param visible when they could be found
     */
    static Passage of(
            int changes, Instant committed, Handover handover, Instant polled, Instant taken, Instant visible) {
        Instant end = later(committed, visible);
        Instant onDisk = between(committed, committed.plus(handover.onDisk()), end);
        Instant handedOver = between(onDisk, committed.plus(handover.handedOver()), end);
        Instant arrived = between(handedOver, polled, end);
        Instant begun = between(arrived, taken, end);
        return new Passage(
                changes,
                Duration.between(committed, onDisk),
                Duration.between(onDisk, handedOver),
                Duration.between(handedOver, arrived),
                Duration.between(arrived, begun),
                Duration.between(begun, end));
    }

    /** The time in one stage. */
    public Duration in(Stage stage) {
        return switch (stage) {
            case COMMITTER -> committer;
            case OUTBOX -> outbox;
            case KAFKA -> kafka;
            case QUEUE -> queue;
            case APPLY -> apply;
        };
    }

    /** The time from the commit to being found. */
    public Duration total() {
        return committer.plus(outbox).plus(kafka).plus(queue).plus(apply);
    }

    private static Instant between(Instant least, Instant time, Instant most) {
        Instant raised = later(least, time);
        return raised.isAfter(most) ? most : raised;
    }

    private static Instant later(Instant a, Instant b) {
        return a.isAfter(b) ? a : b;
    }
}
