package dev.tidemark.runtime;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import dev.tidemark.testkit.ManualClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SteadyClockTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final ManualClock wall = new ManualClock();
    private final AtomicLong timer = new AtomicLong(Long.MAX_VALUE - 5);

    @Test
    void neverRunsBackAndStartsAtTheWallTime() {
        SteadyClock clock = new SteadyClock();
        Instant last = clock.instant();
        assertThat(Duration.between(last, Instant.now()).abs()).isLessThan(Duration.ofMinutes(1));
        for (int i = 0; i < 10_000; i++) {
            Instant now = clock.instant();
            assertThat(now).isAfterOrEqualTo(last);
            last = now;
        }
    }

    @Test
    void isInOneZone() {
        SteadyClock clock = new SteadyClock();

        assertThat(clock.withZone(ZoneOffset.UTC)).isSameAs(clock);
        assertThatThrownBy(() -> clock.withZone(ZoneOffset.MAX))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("+18:00");
    }

    @Test
    void isOffByWhatThePropertySays() {
        System.setProperty(SteadyClock.OFFSET, "-PT1H");
        try {
            Duration off = Duration.between(
                    new SteadyClock().instant(), SteadyClock.ofProcess().instant());
            assertThat(off).isBetween(Duration.ofMinutes(-60), Duration.ofMinutes(-59));
        } finally {
            System.clearProperty(SteadyClock.OFFSET);
        }
    }

    @Test
    void movesOnWithTheTimer() {
        SteadyClock clock = new SteadyClock(wall, timer::get);

        run(MINUTE);

        assertThat(clock.instant()).isEqualTo(ManualClock.START.plus(MINUTE));
    }

    @Test
    void countsTheTimeInWhichTheMachineIsSuspendedOnce() {
        SteadyClock clock = new SteadyClock(wall, timer::get);

        wall.advance(MINUTE);
        assertThat(clock.instant()).isEqualTo(ManualClock.START.plus(MINUTE));

        run(MINUTE);
        assertThat(clock.instant()).isEqualTo(ManualClock.START.plus(MINUTE.multipliedBy(2)));
    }

    @Test
    void shortSuspensionsAddUp() {
        SteadyClock clock = new SteadyClock(wall, timer::get);

        for (int i = 0; i < 60; i++) {
            wall.advance(Duration.ofMillis(50));
            clock.instant();
        }

        assertThat(Duration.between(ManualClock.START, clock.instant()))
                .isBetween(Duration.ofMillis(2_900), Duration.ofSeconds(3));
    }

    @Test
    void doesNotFollowAWallClockThatIsSetBackAndGoesOnNoticing() {
        SteadyClock clock = new SteadyClock(wall, timer::get);

        wall.advance(MINUTE.negated());
        assertThat(clock.instant()).isEqualTo(ManualClock.START);

        wall.advance(Duration.ofSeconds(10));
        assertThat(clock.instant()).isEqualTo(ManualClock.START.plusSeconds(10));
    }

    @Test
    void comparesNothingWhenTheThreadWasHeldUpBetweenTheTwoClocks() {
        AtomicLong step = new AtomicLong();
        SteadyClock clock = new SteadyClock(wall, () -> timer.addAndGet(step.get()));

        step.set(Duration.ofSeconds(1).toNanos());
        Instant last = clock.instant();

        assertThat(last).isEqualTo(ManualClock.START.plusSeconds(2));
    }

    @Test
    void countsASuspensionOnceHoweverManyThreadsNoticeIt() {
        SteadyClock clock = new SteadyClock(wall, timer::get);
        for (int i = 1; i <= 200; i++) {
            wall.advance(MINUTE);
            Instant expected = ManualClock.START.plus(MINUTE.multipliedBy(i));

            assertThat(IntStream.range(0, 8).parallel().mapToObj(thread -> clock.instant()))
                    .containsOnly(expected);
        }
    }

    private void run(Duration time) {
        wall.advance(time);
        timer.addAndGet(time.toNanos());
    }
}
