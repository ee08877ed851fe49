package dev.tidemark.worker.clocks;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import dev.tidemark.row.RowVersion;

/**
 * An answer to the question what time it is.
 *
 * @param sent when the question was sent, by this process's clock
 * @param received when the answer was here, by this process's clock
 * @param writer what the writer's clock showed at some moment in between
 * @param process which run of the writer answered; another run may have another clock
 * @param version the last version that the writer had given by then; empty where it does not say
 */
public record ClockReading(
        Instant sent, Instant received, Instant writer, String process, Optional<RowVersion> version) {
    /** An answer that says nothing of versions. */
    public ClockReading(Instant sent, Instant received, Instant writer, String process) {
        this(sent, received, writer, process, Optional.empty());
    }

    /** How far the writer's clock is ahead of this one's, at most; negative when it is behind. */
    Duration aheadAtMost() {
        return Duration.between(sent, writer);
    }

    /** How far it is ahead, at least. */
    Duration aheadAtLeast() {
        return Duration.between(received, writer);
    }
}
