package dev.tidemark.metrics;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.runtime.DurationCounts;

import static org.assertj.core.api.Assertions.assertThat;

class BulkHistogramTest {
    private final BulkHistogram histogram = new BulkHistogram(List.of(Duration.ofMillis(5), Duration.ofMillis(50)));
    private final ServiceMeters meters = new ServiceMeters();

    @AfterEach
    void close() {
        meters.close();
    }

    @Test
    void showsBucketsCountAndSumAsPrometheusDoes() {
        meters.show(new HistogramFamily(
                "tidemark_test_seconds",
                "Times of a test.",
                () -> List.of(new HistogramFamily.Series(Map.of("table", "films", "stage", "apply"), histogram))));
        DurationCounts durations = new DurationCounts(1);
        durations.add(5_000_000, 3);
        durations.add(6_000_000, 2);
        durations.add(1_000_000_000, 1);
        histogram.add(durations);
        String labels = "stage=\"apply\",table=\"films\"";
        assertThat(meters.scrape().lines().filter(line -> line.contains("tidemark_test_seconds")))
                .containsExactly(
                        "# HELP tidemark_test_seconds Times of a test.",
                        "# TYPE tidemark_test_seconds histogram",
                        "tidemark_test_seconds_bucket{" + labels + ",le=\"0.005\"} 3",
                        "tidemark_test_seconds_bucket{" + labels + ",le=\"0.05\"} 5",
                        "tidemark_test_seconds_bucket{" + labels + ",le=\"+Inf\"} 6",
                        "tidemark_test_seconds_count{" + labels + "} 6",
                        "tidemark_test_seconds_sum{" + labels + "} 1.027");
    }
}
