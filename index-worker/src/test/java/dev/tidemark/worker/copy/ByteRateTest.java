package dev.tidemark.worker.copy;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import dev.tidemark.worker.testkit.SettableClock;

import static org.assertj.core.api.Assertions.assertThat;

class ByteRateTest {
    private final SettableClock clock = new SettableClock(WrittenShard.NOON);

    @Test
    void grantsTheBytesOfOneSecondAndThenNoneUntilTimePasses() {
        ByteRate rate = new ByteRate(1_000, clock);
        assertThat(rate.take(700)).isEqualTo(700);
        assertThat(rate.take(700)).isEqualTo(300);
        assertThat(rate.take(700)).isZero();
        clock.advance(Duration.ofMillis(500));
        assertThat(rate.take(700)).isEqualTo(500);
        clock.advance(Duration.ofHours(1));
        assertThat(rate.take(5_000)).isEqualTo(1_000);
    }

    @Test
    void doesNotGrantAFewBytesOfMany() {
        ByteRate rate = new ByteRate(1_000, clock);
        assertThat(rate.take(950)).isEqualTo(950);
        assertThat(rate.take(700)).isZero();
        assertThat(rate.take(50)).isEqualTo(50);
    }

    @Test
    void ofNoneIsNone() {
        ByteRate rate = new ByteRate(0, clock);
        clock.advance(Duration.ofHours(1));
        assertThat(rate.isNone()).isTrue();
        assertThat(rate.take(1)).isZero();
    }
}
