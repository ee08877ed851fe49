package dev.tidemark.deploy.simulation;

import java.time.Clock;
import java.time.Duration;
import java.util.List;

/** Clocks as machines have them. */
final class WrongClock {
    private static final List<Duration> OFFSETS =
            List.of(Duration.ZERO, Duration.ZERO, Duration.ofHours(1), Duration.ofHours(-1));

    private WrongClock() {}

    /** The true time, or an hour off. */
    static Clock of(Clock trueTime, Chance chance) {
        return Clock.offset(trueTime, chance.pick(OFFSETS));
    }
}
