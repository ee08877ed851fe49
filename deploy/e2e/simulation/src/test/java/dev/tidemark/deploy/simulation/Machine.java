package dev.tidemark.deploy.simulation;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.tidemark.runtime.SteadyClock;
import dev.tidemark.testkit.ManualClock;

/** A machine with a wall clock that may be wrong, and a timer that stands still while the machine is suspended. */
final class Machine {
    private static final List<Duration> OFFSETS =
            List.of(Duration.ZERO, Duration.ZERO, Duration.ofHours(1), Duration.ofHours(-1));

    private final ManualClock trueTime;
    private final Rule broken;
    private Duration suspended = Duration.ZERO;

    Machine(ManualClock trueTime, Rule broken) {
        this.trueTime = trueTime;
        this.broken = broken;
    }

    /** The clock of a process that starts now, on the true time or an hour off it. */
    Clock clock(RandomSource chance) {
        return clock(chance.pick(OFFSETS));
    }

    /** The clock of a process that starts now, off the true time by as much. */
    Clock clock(Duration offset) {
        Clock wall = Clock.offset(trueTime, offset);
        if (broken == Rule.SUSPENDED_TIME_COUNTS) {
            Instant start = wall.instant();
            long from = timer();
            return new TimerClock(() -> start.plusNanos(timer() - from));
        }
        return new SteadyClock(wall, this::timer);
    }

    /** The machine did not run since then. */
    void wasSuspendedSince(Instant began) {
        suspended = suspended.plus(Duration.between(began, trueTime.instant()));
    }

    /** What the timer shows, which stands still while the machine is suspended, in nanoseconds. */
    private long timer() {
        return Duration.between(ManualClock.START, trueTime.instant())
                .minus(suspended)
                .toNanos();
    }
}
