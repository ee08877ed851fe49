package dev.tidemark.worker.clocks;

import java.time.Duration;
import java.time.Instant;

/**
 * An answer to the question what time it is.
 *
 * @param sent when the question was sent, by this process's clock
 * @param received when the answer was here, by this process's clock
 * @param writer what the writer's clock showed at some moment in between
 * @param process which run of the writer answered; another run may have another clock
 */
public record ClockReading(Instant sent, Instant received, Instant writer, String process) {
    /** How far the writer's clock is ahead of this one's, at most; negative when it is behind. */
    Duration aheadAtMost() {
        return Duration.between(sent, writer);
    }

    /** How far it is ahead, at least. */
    Duration aheadAtLeast() {
        return Duration.between(received, writer);
    }
}
