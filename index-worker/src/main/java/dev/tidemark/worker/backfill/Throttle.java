package dev.tidemark.worker.backfill;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Limits how many rows backfills copy per second: at most the limit of the operator, and less while the freshness of
 * the indexes in use is poor. Freshness above a third of its target slows the copying a little, above half of it much.
 * Above the target the copying also stops for a moment. Below a third of the target the speed grows again: quickly
 * while freshness is far below the target, otherwise more slowly than it falls. The speed never grows far beyond the
 * rate of the rows really copied, so that it does not have to fall from an unused limit. It stays at {@value #LEAST}
 * rows per second or more, so that a build ends, unless the operator sets a lower limit. For any thread.
 */
public final class Throttle {
    /** Rows a second that a build gets in any case. */
    static final int LEAST = 500;

    private static final int MOST = 1_000_000;
    private static final int FIRST = 50_000;
    private static final int HURRIED = 10_000;
    private static final int SMALL_STEP = 50;
    private static final int MIDDLE_STEP = 250;
    private static final int LARGE_STEP = 1_000;
    private static final double MUCH_SLOWER = 0.5;
    private static final double SLOWER = 0.85;
    private static final double FASTER = 1.15;
    private static final double MUCH_FASTER = 1.5;
    private static final Duration INTERVAL = Duration.ofMillis(250);
    private static final Duration LARGEST_SAVING = Duration.ofMillis(100);

    private final int limit;
    private final Duration target;
    private double rate;
    private double permits = 1;
    private boolean calm = true;
    private long copied;
    private Instant refilled;
    private Instant judged;

    /**
     * A throttle that begins at a moderate speed.
     *
     * @param limit most rows a second; 0 for as many as freshness allows
     * @param target how old the answers of the indexes that follow may become
     * @param now the time
     */
    public Throttle(int limit, Duration target, Instant now) {
        this.limit = limit == 0 ? MOST : limit;
        this.target = target;
        this.rate = Math.min(FIRST, this.limit);
        this.refilled = now;
        this.judged = now;
    }

    /** How old the answers of the indexes that follow may become. */
    Duration target() {
        return target;
    }

    /** Rows a second at the moment. */
    public synchronized double rate() {
        return rate;
    }

    /**
     * Whether {@code rows} rows may be copied now. They may exceed the saved permits; the next rows then wait longer.
     */
    public synchronized boolean pass(int rows, Instant now) {
        Duration passed = Duration.between(refilled, now);
        if (!passed.isNegative()) {
            double most = Math.max(1, rate * LARGEST_SAVING.toMillis() / 1e3);
            permits = Math.min(most, permits + rate * passed.toNanos() / 1e9);
            refilled = now;
        }
        if (permits <= 0) {
            return false;
        }
        permits -= rows;
        copied += rows;
        return true;
    }

    /** Gives back what was taken for rows that were not copied. */
    synchronized void giveBack(int rows) {
        permits += rows;
        copied -= rows;
    }

    /** How many rows to copy in one step of a shard, in which it does nothing else: fewer when freshness is short. */
    public synchronized int step() {
        if (rate < HURRIED) {
            return SMALL_STEP;
        }
        return calm && rate >= FIRST ? LARGE_STEP : MIDDLE_STEP;
    }

    /**
     * Adapts the speed to the freshness of the indexes in use; has no effect within a quarter of a second of the last
     * call.
     *
     * @param freshness the worst freshness of these indexes; empty when it is unknown
     */
    public synchronized void judge(Optional<Duration> freshness, Instant now) {
        Duration passed = Duration.between(judged, now);
        if (passed.compareTo(INTERVAL) < 0) {
            return;
        }
        double used = copied * 1e9 / passed.toNanos();
        judged = now;
        copied = 0;
        Duration worst = freshness.orElse(Duration.ZERO);
        calm = worst.multipliedBy(20).compareTo(target) <= 0;
        if (worst.compareTo(target) > 0) {
            if (rate > LEAST) {
                permits = Math.min(permits, 0);
                refilled = now.plus(INTERVAL);
            }
            rate = rate * MUCH_SLOWER;
        } else if (worst.multipliedBy(2).compareTo(target) > 0) {
            rate = rate * MUCH_SLOWER;
        } else if (worst.multipliedBy(3).compareTo(target) > 0) {
            rate = rate * SLOWER;
        } else {
            double grown = rate * (worst.multipliedBy(5).compareTo(target) > 0 ? FASTER : MUCH_FASTER);
            rate = Math.max(rate, Math.min(grown, used * MUCH_FASTER));
        }
        rate = Math.min(limit, Math.max(Math.min(LEAST, limit), rate));
    }
}
