package dev.tidemark.writer.outbox;

import java.time.Duration;
import java.time.Instant;

/**
 * How long changes wait for company before they are handed to the log: not at all, except where so many come in small groups that most of
 * the work would be in the requests and not in the changes. For the relay alone.
 *
 * <p>A hand-over costs producer, broker and reader much the same for one change and for fifty.
 */
final class HandOverPace {
    /** From then on no change is held back. */
    static final Duration LONGEST_WAIT = Duration.ofMillis(5);

    /** So many changes do not wait. */
    static final int ENOUGH = 50;

    /** Changes a second from which on they wait. */
    static final int BUSY = 5_000;

    private static final double MEMORY_NANOS = Duration.ofMillis(20).toNanos();
    private static final double BUSY_MEMORY =
            BUSY * MEMORY_NANOS / Duration.ofSeconds(1).toNanos();

    private Instant last = Instant.EPOCH;

    /** Changes handed over lately, those of 20 ms ago counted to a third. */
    private double lately;

    /** Whether so many changes are to be handed over now. A clock that was set back makes nothing wait. */
    boolean isDue(long waiting, Instant now) {
        return waiting >= ENOUGH
                || lately < BUSY_MEMORY
                || !now.isBefore(last.plus(LONGEST_WAIT))
                || now.isBefore(last);
    }

    /** Takes note of changes that were handed over. */
    void handedOver(int changes, Instant now) {
        double since = now.isAfter(last) ? Duration.between(last, now).toNanos() : 0;
        lately = lately * Math.exp(-since / MEMORY_NANOS) + changes;
        last = now;
    }
}
