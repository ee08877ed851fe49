package dev.tidemark.worker.build;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How many rows may be copied a second: at most what an operator allows, and less while the indexes that follow fall behind.
 * Freshness above a third of its target slows the copying down a little, above half of it much, and above the target it stops
 * for a moment besides; below that the speed grows again, slower than it falls. Never slower than {@value #LEAST} a second, so that a build ends. For any
 * thread.
 */
public final class Throttle {
    /** Rows a second that a build gets in any case. */
    static final int LEAST = 500;

    private static final int MOST = 1_000_000;
    private static final int FIRST = 20_000;
    private static final int HURRIED = 10_000;
    private static final int SMALL_STEP = 50;
    private static final int LARGE_STEP = 250;
    private static final double MUCH_SLOWER = 0.5;
    private static final double SLOWER = 0.85;
    private static final double FASTER = 1.15;
    private static final Duration INTERVAL = Duration.ofMillis(250);
    private static final Duration LARGEST_SAVING = Duration.ofMillis(100);

    private final int limit;
    private final Duration target;
    private double rate;
    private double permits = 1;
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

    /** Rows a second at the moment. */
    public synchronized double rate() {
        return rate;
    }

    /** Whether so many rows may be copied now. They may be more than was saved up, and then the next ones wait longer. */
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
        return true;
    }

    /** How many rows to copy in one step of a shard, in which it does nothing else: fewer when freshness is short. */
    public synchronized int step() {
        return rate < HURRIED ? SMALL_STEP : LARGE_STEP;
    }

    /**
     * Looks at how the indexes that follow are doing; does nothing within a quarter of a second of the last look.
     *
     * @param freshness the worst of them; empty when none tells
     */
    public synchronized void judge(Optional<Duration> freshness, Instant now) {
        if (Duration.between(judged, now).compareTo(INTERVAL) < 0) {
            return;
        }
        judged = now;
        Duration worst = freshness.orElse(Duration.ZERO);
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
            rate = rate * FASTER;
        }
        rate = Math.min(limit, Math.max(Math.min(LEAST, limit), rate));
    }
}
