package dev.tidemark.settings;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DurationsTest {

    @Test
    void readsEveryUnit() throws Exception {
        assertThat(Durations.parse("500ms")).isEqualTo(Duration.ofMillis(500));
        assertThat(Durations.parse("2s")).isEqualTo(Duration.ofSeconds(2));
        assertThat(Durations.parse("5m")).isEqualTo(Duration.ofMinutes(5));
        assertThat(Durations.parse("1h")).isEqualTo(Duration.ofHours(1));
        assertThat(Durations.parse("7d")).isEqualTo(Duration.ofDays(7));
        assertThat(Durations.parse("0ms")).isZero();
    }

    @Test
    void staysWithinALongOfNanoseconds() throws Exception {
        assertThat(Durations.parse("36500d").toNanos()).isPositive();
        for (String text : List.of("36501d", "999999999d", "999999999h")) {
            assertThatThrownBy(() -> Durations.parse(text))
                    .isInstanceOf(BadSettingsException.class)
                    .hasMessage("expected a duration of at most 36500d, but got " + text);
        }
    }

    @Test
    void refusesEverythingElse() {
        for (String text :
                List.of("", "5", "s", "1.5s", "-1s", " 1s", "1 s", "1S", "1w", "1s2m", "9999999999s", "١s")) {
            assertThatThrownBy(() -> Durations.parse(text))
                    .isInstanceOf(BadSettingsException.class)
                    .hasMessageStartingWith("expected a duration such as 500ms, 2s, 5m, 1h or 7d, but got ");
        }
    }

    @Test
    void showsTheRangeOfASetting() {
        assertThat(Durations.within("1s", "1h")).hasToString("[1s,...,1h]");
    }
}
