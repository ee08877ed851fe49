package dev.tidemark.deploy.bench;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class LoadTest {

    @Test
    void sendsSingleChangesAtLowRatesAndFiveMillisecondsOfThemAtHighOnes() {
        assertThat(Load.of(1_000, Duration.ofSeconds(1)).burst()).isEqualTo(1);
        assertThat(Load.of(10_000, Duration.ofSeconds(1)).burst()).isEqualTo(50);
    }

    @Test
    void spreadsBurstsEvenlyOverTheTime() {
        Load load = Load.of(10_000, Duration.ofSeconds(3));

        assertThat(load.bursts()).isEqualTo(600);
        assertThat(load.changes()).isEqualTo(30_000);
        assertThat(load.dueAfter(0)).isZero();
        assertThat(load.dueAfter(1)).isEqualTo(Duration.ofMillis(5));
        assertThat(load.dueAfter(599)).isEqualTo(Duration.ofMillis(2_995));
    }

    @Test
    void driftsAtNoRateThatDoesNotDivideASecond() {
        Load load = new Load(700, 1, Duration.ofHours(1));

        assertThat(load.changes()).isEqualTo(700 * 3_600);
        assertThat(load.dueAfter(700 * 3_600)).isEqualTo(Duration.ofHours(1));
    }

    @Test
    void hasAtLeastOneBurst() {
        assertThat(Load.of(1, Duration.ofMillis(10)).changes()).isEqualTo(1);
    }

    @Test
    void refusesARateOfNothing() {
        assertThatThrownBy(() -> Load.of(0, Duration.ofSeconds(1))).hasMessageContaining("rate");
    }
}
