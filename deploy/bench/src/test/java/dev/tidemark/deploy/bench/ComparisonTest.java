package dev.tidemark.deploy.bench;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import dev.tidemark.deploy.bench.VisibilityFigures.Measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

final class ComparisonTest {
    private static final Load LOAD = Load.of(1_000, Duration.ofSeconds(1));

    @Test
    void takesTheMedianOfOddAndEvenNumbersOfRounds() {
        assertThat(RoundSpread.of(List.of(9.0, 1.0, 2.0))).isEqualTo(new RoundSpread(2, 1, 9));
        assertThat(RoundSpread.of(List.of(4.0, 1.0, 2.0, 9.0))).isEqualTo(new RoundSpread(3, 1, 9));
    }

    @Test
    void hasNoMedianOfNothing() {
        assertThatThrownBy(() -> RoundSpread.of(List.of())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RoundSpread.of(List.of(1.0, Double.NaN))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void dividesMediansSoThatOneBadRoundDecidesNothing() {
        VisibilityBenchmark.Comparison comparison = new VisibilityBenchmark.Comparison(
                LOAD,
                new Rounds(Map.of(
                        Baseline.LIKE_TIDEMARK.label(),
                        rounds(0.002, 0.010, 0.002, 0.010, 0.5, 2),
                        Contender.TIDEMARK,
                        rounds(0.003, 0.012, 9, 99, 0.003, 0.012))));
        assertThat(comparison.ratio(Baseline.LIKE_TIDEMARK, "p50")).isEqualTo(1.5, within(1e-9));
        assertThat(comparison.ratio(Baseline.LIKE_TIDEMARK, "p99")).isEqualTo(1.2, within(1e-9));
    }

    /** Rounds from their p50 and p99 in turn. */
    private static List<Map<Figure, Double>> rounds(double... quantiles) {
        return IntStream.range(0, quantiles.length / 2)
                .mapToObj(i -> Map.of(
                        Measure.VISIBILITY.at("p50"), quantiles[2 * i],
                        Measure.VISIBILITY.at("p99"), quantiles[2 * i + 1]))
                .toList();
    }
}
