package dev.tidemark.writer.commit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The clock by which commits, heartbeats and their ages are told. It never runs back, restarts included, and always moves
 * at the speed of the clock beneath. It may so be ahead of the wall for good, which does no harm, because whoever compares
 * with it asks for its time ({@code GET /v1/clock}).
 */
public final class CommitClock {
    private CommitClock() {}

    /**
     * The clock of a writer that was just started: the latest of all that are told.
     *
     * @param wall never runs back while the process lives
     * @param lastCommit no commit and no promise of earlier runs is later
     * @param continued what the clock of the run before would show now; empty when that cannot be told, and then a wall
     *     clock that was set back meanwhile costs the time that the writer was away
     */
    public static Clock over(Clock wall, Instant lastCommit, Optional<Instant> continued) {
        Instant least = continued.filter(lastCommit::isBefore).orElse(lastCommit);
        Duration behind = Duration.between(wall.instant(), least);
        return behind.isNegative() ? wall : Clock.offset(wall, behind);
    }
}
