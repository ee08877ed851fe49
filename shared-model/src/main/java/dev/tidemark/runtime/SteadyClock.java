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
    private final Instant start = Instant.now();
    private final long startNanos = System.nanoTime();

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
