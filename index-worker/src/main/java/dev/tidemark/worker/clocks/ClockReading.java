package dev.tidemark.worker.clocks;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * An answer to a request for the writer's time.
 *
 * @param sent when the request was sent, by this process's clock
 * @param received when the answer was received, by this process's clock
 * @param writer the time of the writer's clock at some moment in between
 * @param process the run of the writer that answered; another run may have another clock
 * @param bound what the answer says about versions; empty where it says nothing
 */
public record ClockReading(
        Instant sent, Instant received, Instant writer, String process, Optional<CommitBound> bound) {
    /** How far the writer's clock is ahead of this one's, at most; negative when it is behind. */
    Duration aheadAtMost() {
        return Duration.between(sent, writer);
    }

    /** How far it is ahead, at least. */
    Duration aheadAtLeast() {
        return Duration.between(received, writer);
    }
}
