package dev.tidemark.change;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

import org.jspecify.annotations.Nullable;

/**
 * When the writer had a change on disk and sent it to Kafka, in microseconds after its commit time. A separate header
 * beside the change carries both, because they differ each time that a change is published.
 *
 * @param onDiskMicros when it was on disk; 0 where that is not known
 * @param handedOverMicros when it was sent to Kafka
 */
public record PublishTimings(long onDiskMicros, long handedOverMicros) {
    /** A CloudEvents extension: both numbers, with a comma between. */
    public static final String HEADER = "ce_waitedmicros";

    /** Nothing is known: what happened in the writer is counted to what came after. */
    public static final PublishTimings UNKNOWN = new PublishTimings(0, 0);

    /** The times when a change was committed, on disk and passed to the producer. */
    public static PublishTimings of(Instant committed, Instant onDisk, Instant handedOver) {
        return new PublishTimings(
                ChronoUnit.MICROS.between(committed, onDisk), ChronoUnit.MICROS.between(committed, handedOver));
    }

    /** What the header of a record says; unknown where there is none, or none that can be read. */
    public static PublishTimings parse(@Nullable String text) {
        int comma = text == null ? -1 : text.indexOf(',');
        if (text == null || comma < 0) {
            return UNKNOWN;
        }
        try {
            return new PublishTimings(
                    Long.parseLong(text, 0, comma, 10), Long.parseLong(text, comma + 1, text.length(), 10));
        } catch (NumberFormatException e) {
            // Times are worth less than the change that they are about.
            return UNKNOWN;
        }
    }

    /** The value of the header. */
    public String text() {
        return onDiskMicros + "," + handedOverMicros;
    }
}
