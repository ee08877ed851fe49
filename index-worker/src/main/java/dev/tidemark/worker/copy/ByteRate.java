package dev.tidemark.worker.copy;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** Grants bytes, up to a number a second in the mean, and at most those of one second at once. For any thread. */
public final class ByteRate {
    private static final double NANOS = 1e9;

    /** Fewer than this part of a second's bytes are not worth an answer. */
    private static final int PART = 8;

    private final long perSecond;
    private final Clock clock;
    private double left;
    private Instant since;

    /**
     * All bytes of a second are there.
     *
     * @param perSecond 0 for none at all
     */
    public ByteRate(long perSecond, Clock clock) {
        this.perSecond = perSecond;
        this.clock = clock;
        this.left = (double) perSecond;
        this.since = clock.instant();
    }

    boolean isNone() {
        return perSecond == 0;
    }

    /** How many bytes are granted of those that are wanted; 0 for none at the moment. */
    synchronized long take(long wanted) {
        Instant now = clock.instant();
        double more = Duration.between(since, now).toNanos() / NANOS * perSecond;
        left = Math.min((double) perSecond, left + more);
        since = now;
        long granted = Math.min(wanted, (long) left);
        if (granted < Math.min(wanted, Math.max(1, perSecond / PART))) {
            return 0;
        }
        left -= granted;
        return granted;
    }
}
