package dev.tidemark.deploy.bench;

import java.util.Map;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

final class LatenciesTest {
    private static final double INF = Double.POSITIVE_INFINITY;
    private static final Latencies EMPTY = Latencies.cumulative(Map.of(0.001, 0L, 0.002, 0L, 0.004, 0L, INF, 0L));

    @Test
    void takesLatenciesToBeSpreadEvenlyWithinABucket() {
        Latencies latencies = Latencies.cumulative(Map.of(0.001, 0L, 0.002, 100L, 0.004, 200L, INF, 200L));

        assertThat(latencies.quantile(0.25)).isEqualTo(0.0015, within(1e-9));
        assertThat(latencies.quantile(0.5)).isEqualTo(0.002, within(1e-9));
        assertThat(latencies.quantile(0.99)).isEqualTo(0.00396, within(1e-9));
    }

    @Test
    void skipsBucketsWithNothingInThem() {
        Latencies latencies = Latencies.cumulative(Map.of(0.001, 0L, 0.002, 0L, 0.004, 10L, INF, 10L));

        assertThat(latencies.quantile(0)).isEqualTo(0.002);
        assertThat(latencies.quantile(1)).isEqualTo(0.004);
    }

    @Test
    void saysTheLastBoundForWhatIsBeyondIt() {
        assertThat(Latencies.count(new long[] {1_500, 90_000_000}, EMPTY).quantile(0.99))
                .isEqualTo(0.004);
    }

    @Test
    void knowsNothingOfNothing() {
        assertThat(EMPTY.count()).isZero();
        assertThat(EMPTY.quantile(0.5)).isNaN();
    }

    @Test
    void countsALatencyInTheBucketWhoseBoundItReaches() {
        Latencies latencies = Latencies.count(new long[] {0, 1_000, 1_001, 4_000}, EMPTY);

        assertThat(latencies.count()).isEqualTo(4);
        assertThat(latencies.quantile(0.5)).isEqualTo(0.001);
    }

    @Test
    void isCloseToTheExactQuantileWhereBoundsAreClose() {
        long[] micros = LongStream.rangeClosed(1, 4_000).toArray();

        assertThat(Latencies.count(micros, EMPTY).quantile(0.9)).isEqualTo(0.0036, within(0.000_01));
    }

    @Test
    void takesOutWhatWasThereBefore() {
        Latencies before = Latencies.count(new long[] {500, 3_000}, EMPTY);
        Latencies after = Latencies.count(new long[] {500, 3_000, 1_500, 1_600}, EMPTY);

        assertThat(after.since(before).count()).isEqualTo(2);
        assertThat(after.since(before).quantile(1)).isEqualTo(0.002);
    }

    @Test
    void refusesAHistogramWithoutAnEnd() {
        assertThatThrownBy(() -> Latencies.cumulative(Map.of(1.0, 1L))).hasMessageContaining("+Inf");
    }
}
