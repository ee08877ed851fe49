package dev.tidemark.worker.lag;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.worker.lag.FreshnessHistory.Point;

import static org.assertj.core.api.Assertions.assertThat;

class FreshnessHistoryTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final FreshnessHistory history = new FreshnessHistory();

    @Test
    void keepsTheWorstOfAnInterval() {
        sample(0, 100);
        sample(2.5, 4_000);
        sample(4.9, 90);
        sample(5, 20);
        assertThat(history.of("films")).containsExactly(point(5, 4_000));
    }

    @Test
    void cannotTellWhereOneSampleCannot() {
        sample(0, 100);
        history.sample("films", Optional.empty(), at(1));
        sample(2, 100);
        sample(5, 100);
        assertThat(history.of("films")).containsExactly(new Point(at(5), Optional.empty()));
    }

    @Test
    void leavesAHoleWhereNobodySampled() {
        sample(1, 10);
        sample(61, 20);
        sample(66, 30);
        assertThat(history.of("films")).containsExactly(point(5, 10), point(65, 20));
    }

    @Test
    void keepsAQuarterOfAnHour() {
        for (int second = 0; second <= 2_000; second += 5) {
            sample(second, second);
        }
        List<Point> points = history.of("films");
        assertThat(points).hasSize(180).last().isEqualTo(point(2_000, 1_995));
        assertThat(points.get(0).at())
                .isEqualTo(at(2_000).minus(FreshnessHistory.SPAN).plusSeconds(5));
    }

    @Test
    void knowsNothingOfATableThatWasNeverSampled() {
        assertThat(history.of("people")).isEmpty();
    }

    private void sample(double second, long freshnessMillis) {
        history.sample("films", Optional.of(Duration.ofMillis(freshnessMillis)), at(second));
    }

    private static Point point(double end, long freshnessMillis) {
        return new Point(at(end), Optional.of(Duration.ofMillis(freshnessMillis)));
    }

    private static Instant at(double second) {
        return START.plusMillis((long) (second * 1_000));
    }
}
