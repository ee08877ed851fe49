package dev.tidemark.runtime;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.function.LongSupplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wall time as it was when the process started, moved on by the monotonic timer. It never runs back while the process
 * lives.
 *
 * <p>The timer stands still while the machine is suspended, and the wall clock shows that time afterwards. Each reading
 * therefore compares the two, and moves this clock on by what the wall clock has gained on the timer. A wall clock that
 * is set forward by hand looks like a suspended machine: ages are then too large, never too small. A wall clock that is
 * set back has no effect here.
 */
public final class SteadyClock extends Clock {
    /**
     * System property with an ISO-8601 duration ({@code PT1H}, {@code -PT1H}) by which {@link #ofProcess()} is off, so
     * that a test can run one process with a wrong clock.
     */
    public static final String OFFSET = "tidemark.clock.offset";

    private static final Logger LOGGER = LoggerFactory.getLogger(SteadyClock.class);

    /** A smaller difference counts once further ones have been added to it. */
    private static final long LEAST_STEP = Duration.ofMillis(100).toNanos();

    /** Two clocks that were read further apart than this cannot be compared. */
    private static final long READ_WITHIN = Duration.ofMillis(1).toNanos();

    /** How often the first comparison is tried again when the thread was held up. */
    private static final int ATTEMPTS = 10;

    private final Clock wall;
    private final LongSupplier timer;
    private volatile Offsets offsets;

    /**
     * What is added to the timer, in nanoseconds.
     *
     * @param shown to get the time that this clock shows
     * @param wall to get the time that the wall clock showed when the two were last found to differ
     */
    private record Offsets(long shown, long wall) {}

    /** The two clocks, read at one moment; {@code usable} where it was short enough. */
    private record Sample(long timer, long wall, boolean usable) {
        long offset() {
            return wall - timer;
        }
    }

    public SteadyClock() {
        this(Clock.systemUTC(), System::nanoTime);
    }

    /**
     * A clock over those of a machine.
     *
     * @param wall shows the time of day, and can be set
     * @param timer counts nanoseconds while the machine runs, from any number
     */
    public SteadyClock(Clock wall, LongSupplier timer) {
        this.wall = wall;
        this.timer = timer;
        Sample first = sample();
        for (int i = 0; i < ATTEMPTS && !first.usable(); i++) {
            first = sample();
        }
        long start = first.offset();
        this.offsets = new Offsets(start, start);
    }

    /**
     * The clock of a service, off by what {@link #OFFSET} says.
     *
     * @throws java.time.format.DateTimeParseException when that is not a duration
     */
    public static SteadyClock ofProcess() {
        Duration offset = Duration.parse(System.getProperty(OFFSET, "PT0S"));
        return new SteadyClock(Clock.offset(Clock.systemUTC(), offset), System::nanoTime);
    }

    @Override
    public Instant instant() {
        Sample now = sample();
        if (differs(now)) {
            moveOn();
        }
        return Instant.EPOCH.plusNanos(now.timer() + offsets.shown());
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    /** Instants are in no zone, and no other one is needed. */
    @Override
    public Clock withZone(ZoneId zone) {
        if (zone.equals(ZoneOffset.UTC)) {
            return this;
        }
        throw new UnsupportedOperationException("Expected the zone " + ZoneOffset.UTC + ", but got " + zone);
    }

    private Sample sample() {
        long before = timer.getAsLong();
        Instant shown = wall.instant();
        long after = timer.getAsLong();
        long nanos = shown.getEpochSecond() * 1_000_000_000L + shown.getNano();
        return new Sample(after, nanos, after - before < READ_WITHIN);
    }

    private boolean differs(Sample now) {
        return now.usable() && Math.abs(now.offset() - offsets.wall()) > LEAST_STEP;
    }

    /** Reads both clocks once more: what another thread read may be from before the machine stood still. */
    private synchronized void moveOn() {
        Sample now = sample();
        if (!differs(now)) {
            return;
        }
        Offsets before = offsets;
        long step = now.offset() - before.wall();
        offsets = new Offsets(before.shown() + Math.max(0, step), now.offset());
        Duration length = Duration.ofNanos(Math.abs(step));
        if (step > 0) {
            LOGGER.warn(
                    "The machine stood still for {} ms, or its clock was set forward; ages count that time",
                    length.toMillis());
        } else {
            LOGGER.info("The clock of the machine was set back by {} ms, which ages do not follow", length.toMillis());
        }
    }
}
