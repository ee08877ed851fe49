package dev.tidemark.writer.commit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The clock for commits, heartbeats and their ages. It never runs back, restarts included, and always moves at the
 * speed of the underlying clock. It may stay ahead of the wall clock for good. That does no harm, because a process
 * that compares times with it reads its time ({@code GET /v1/clock}).
 */
public final class CommitClock {
    private CommitClock() {}

    /**
     * Returns the clock of a writer that was just started: it starts at the latest of the given times.
     *
     * @param wall never runs back while the process lives
     * @param lastCommit no commit and no promise of earlier runs is later
     * @param continued what the clock of the run before would show now; empty when that is unknown, and then a wall
     *     clock that was set back meanwhile costs the time that the writer was away
     */
    public static Clock over(Clock wall, Instant lastCommit, Optional<Instant> continued) {
        Instant least = continued.filter(lastCommit::isBefore).orElse(lastCommit);
        Duration behind = Duration.between(wall.instant(), least);
        return behind.isNegative() ? wall : Clock.offset(wall, behind);
    }

    /**
     * Returns how long a writer waits before its clock starts: until the clock of the run before has reached its last
     * promise. Started earlier, the clock would be ahead of that one, and ages too small until workers hear of it.
     * Zero where the promise is further ahead than a promise goes, because the clock was set back then.
     */
    public static Duration untilPromised(Instant lastCommit, Optional<Instant> continued) {
        return continued
                .map(now -> Duration.between(now, lastCommit))
                .filter(ahead -> !ahead.isNegative() && ahead.compareTo(Committer.RESERVED_AHEAD) <= 0)
                .orElse(Duration.ZERO);
    }
}
