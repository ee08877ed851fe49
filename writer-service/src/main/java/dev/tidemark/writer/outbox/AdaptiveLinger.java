package dev.tidemark.writer.outbox;

import java.time.Duration;
import java.time.Instant;

/**
 * Decides how long changes wait, so that more of them are published together. They do not wait, except where many
 * arrive in small groups and most of the work would be in the requests and not in the changes. For the relay alone.
 *
 * <p>A request costs producer, broker and reader about the same for one change as for a small batch. On a machine that
 * is near its limit of single writes, that cost sets the limit, so changes may then wait longer.
 */
final class AdaptiveLinger {
    /** The rate above which changes wait; a batch of {@link Pace#enough()} changes is sent at once. */
    static final Pace BUSY = new Pace(5_000, Duration.ofMillis(5), 50);

    /** The same where still more come, and have done so for a while. */
    static final Pace BUSIER = new Pace(12_000, Duration.ofMillis(40), 800);

    private final Rate lately = new Rate(Duration.ofMillis(20));

    /** Long enough that no burst of changes which had been held up passes for many. */
    private final Rate steadily = new Rate(Duration.ofSeconds(1));

    private Instant last = Instant.EPOCH;

    /**
     * The limits that apply from a number of changes a second on.
     *
     * @param longestWait from then on no change is held back
     * @param enough number of changes that do not wait
     */
    record Pace(int perSecond, Duration longestWait, int enough) {}

    /** Counts sent changes; changes as old as the memory count a third. */
    private static final class Rate {
        private final double memorySeconds;
        private double changes;

        Rate(Duration memory) {
            this.memorySeconds = seconds(memory);
        }

        void add(int more, Duration since) {
            changes = changes * Math.exp(-seconds(since) / memorySeconds) + more;
        }

        boolean reaches(Pace pace) {
            return changes >= pace.perSecond() * memorySeconds;
        }
    }

    /** Whether this number of changes is to be sent now. A clock that was set back makes nothing wait. */
    boolean isDue(long waiting, Instant now) {
        if (!lately.reaches(BUSY)) {
            return true;
        }
        Pace pace = steadily.reaches(BUSIER) ? BUSIER : BUSY;
        return waiting >= pace.enough() || !now.isBefore(last.plus(pace.longestWait())) || now.isBefore(last);
    }

    /** Records that changes were sent. */
    void handedOver(int changes, Instant now) {
        Duration since = now.isAfter(last) ? Duration.between(last, now) : Duration.ZERO;
        lately.add(changes, since);
        steadily.add(changes, since);
        last = now;
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / (double) Duration.ofSeconds(1).toNanos();
    }
}
