package dev.tidemark.deploy.bench.scenario;

import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.deploy.bench.RoundSpread;

import static org.assertj.core.api.Assertions.assertThat;

final class AimTest {
    @Test
    void moreIsBetterForRates() {
        Aim aim = Aim.atLeast(0.7);

        assertThat(aim.met(0.7, 1e9)).isTrue();
        assertThat(aim.met(0.69, 1e9)).isFalse();
        assertThat(aim.text("rows/s")).isEqualTo("at least 0.7");
    }

    @Test
    void lessIsBetterForTimesWhichMayHaveABoundOfTheirOwn() {
        Aim aim = Aim.atMost(1).andWithin(2);

        assertThat(aim.met(0.5, 2)).isTrue();
        assertThat(aim.met(0.5, 2.1)).isFalse();
        assertThat(aim.met(1.1, 1)).isFalse();
        assertThat(aim.text("s")).isEqualTo("at most 1.0, within 2.0 s");
    }

    @Test
    void theBoundAloneMayCount() {
        Aim aim = Aim.within(250);

        assertThat(aim.met(40, 250)).isTrue();
        assertThat(aim.met(0.5, 251)).isFalse();
        assertThat(aim.text("ms")).isEqualTo("within 250.0 ms");
    }

    @Test
    void whatIsReachedIsOneOrMoreOfTheAimBothWays() {
        assertThat(outcome(Figure.JOIN, 6, 1).ofAim()).contains(2.0);
        assertThat(outcome(Figure.QUERY_P99, 4, 1).ofAim()).contains(0.5);
        assertThat(outcome(Figure.CLIENTS_HEALTH, 125, 1).ofAim()).contains(2.0);
    }

    private static FigureResult outcome(Figure figure, double own, double other) {
        return new FigureResult(figure, RoundSpread.of(List.of(own)), Optional.of(RoundSpread.of(List.of(other))));
    }
}
