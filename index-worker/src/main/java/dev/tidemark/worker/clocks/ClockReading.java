package dev.tidemark.worker.clocks;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import dev.tidemark.row.RowVersion;

/**
 * An answer to a request for the writer's time.
 *
 * @param sent when the request was sent, by this process's clock
 * @param received when the answer was received, by this process's clock
 * @param writer the time of the writer's clock at some moment in between
 * @param process the run of the writer that answered; another run may have another clock
 * @param version the last version that the writer had assigned by then; empty where the answer does not contain it
 */
public record ClockReading(
        Instant sent, Instant received, Instant writer, String process, Optional<RowVersion> version) {
    /** How far the writer's clock is ahead of this one's, at most; negative when it is behind. */
    Duration aheadAtMost() {
        return Duration.between(sent, writer);
    }

    /** How far it is ahead, at least. */
    Duration aheadAtLeast() {
        return Duration.between(received, writer);
    }
}
