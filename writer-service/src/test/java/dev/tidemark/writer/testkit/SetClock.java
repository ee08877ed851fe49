package dev.tidemark.writer.testkit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.function.Supplier;

/**
 * The clock of a machine, which is set while it runs.
 */
public final class SetClock extends Clock {
    private final Supplier<Duration> wrong;

    /**
     * A clock.
     *
     * @param wrong by how much it is wrong now
     */
    public SetClock(Supplier<Duration> wrong) {
        this.wrong = wrong;
    }

    @Override
    public Instant instant() {
        return Instant.now().plus(wrong.get());
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return offset(system(zone), wrong.get());
    }
}
