package dev.tidemark.deploy.probe;

import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class DistributionTest {
    private final Distribution distribution = new Distribution();

    @Test
    void givesQuantilesToThreeDigitsAndTheExtremesExactly() {
        IntStream.rangeClosed(1, 10_000).forEach(i -> distribution.add(i / 1_000.0 + 0.000_01));

        Distribution.DistributionSummary spread = distribution.spread();
        assertThat(spread.count()).isEqualTo(10_000);
        assertThat(spread.min()).hasValue(0.001_01);
        assertThat(spread.max()).hasValue(10.000_01);
        assertThat(spread.p50().orElseThrow()).isCloseTo(5, within(0.01));
        assertThat(spread.p99().orElseThrow()).isCloseTo(9.9, within(0.01));
    }

    @Test
    void takesNegativeNumbersAndZero() {
        distribution.add(-0.25);
        distribution.add(0);
        distribution.add(1);

        assertThat(distribution.spread().min()).hasValue(-0.25);
        assertThat(distribution.spread().p50()).hasValue(0);
        assertThat(distribution.spread().p99()).hasValue(1);
    }

    @Test
    void saysNothingAboutNothing() {
        assertThat(distribution.spread().count()).isZero();
        assertThat(distribution.spread().min()).isEmpty();
        assertThat(distribution.spread().p99()).isEmpty();
    }
}
