package dev.tidemark.writer.outbox;

import java.time.Duration;
import java.time.Instant;

/**
 * How long changes wait for company before they are handed to the log: not at all, except where so many come in small groups that most of
 * the work would be in the requests and not in the changes. For the relay alone.
 *
 * <p>A hand-over costs producer, broker and reader much the same for one change and for fifty. Where a machine has about all the single
 * writes that it can take, that cost decides how many those are, so changes may then wait longer.
 */
final class AdaptiveLinger {
    /** Changes a second from which on they wait, and so many that need not. */
    static final Pace BUSY = new Pace(5_000, Duration.ofMillis(5), 50);

    /** The same where still more come, and have done so for a while. */
    static final Pace BUSIER = new Pace(12_000, Duration.ofMillis(40), 800);

    private final Rate lately = new Rate(Duration.ofMillis(20));

    /** Long enough that no burst of changes which had been held up passes for many. */
    private final Rate steadily = new Rate(Duration.ofSeconds(1));

    private Instant last = Instant.EPOCH;

    /**
     * What holds from a number of changes a second on.
     *
     * @param longestWait from then on no change is held back
     * @param enough so many changes do not wait
     */
    record Pace(int perSecond, Duration longestWait, int enough) {}

    /** Changes handed over, those of so long ago counted to a third. */
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

    /** Whether so many changes are to be handed over now. A clock that was set back makes nothing wait. */
    boolean isDue(long waiting, Instant now) {
        if (!lately.reaches(BUSY)) {
            return true;
        }
        Pace pace = steadily.reaches(BUSIER) ? BUSIER : BUSY;
        return waiting >= pace.enough() || !now.isBefore(last.plus(pace.longestWait())) || now.isBefore(last);
    }

    /** Takes note of changes that were handed over. */
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
