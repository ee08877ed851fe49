package dev.tidemark.runtime;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * Wall time as it was when the process started, moved on by the monotonic timer: it never jumps and never runs back
 * while the process lives, whatever is done to the system clock.
 */
public final class SteadyClock extends Clock {
    /**
     * System property with an ISO-8601 duration ({@code PT1H}, {@code -PT1H}) by which {@link #ofProcess()} is off, so that a
     * test can run one process with a wrong clock.
     */
    public static final String OFFSET = "tidemark.clock.offset";

    private final Instant start;
    private final long startNanos = System.nanoTime();

    public SteadyClock() {
        this(Duration.ZERO);
    }

    private SteadyClock(Duration offset) {
        this.start = Instant.now().plus(offset);
    }

    /**
     * The clock of a service, off by what {@link #OFFSET} says.
     *
     * @throws java.time.format.DateTimeParseException when that is not a duration
     */
    public static SteadyClock ofProcess() {
        return new SteadyClock(Duration.parse(System.getProperty(OFFSET, "PT0S")));
    }

    @Override
    public Instant instant() {
        return start.plusNanos(System.nanoTime() - startNanos);
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return Clock.tick(this, Duration.ofNanos(1)).withZone(zone);
    }
}
