package dev.tidemark.runtime;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SteadyClockTest {
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
}
