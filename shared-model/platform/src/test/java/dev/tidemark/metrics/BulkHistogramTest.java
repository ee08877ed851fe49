package dev.tidemark.metrics;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
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
    void aBoundBelongsToTheBucketThatItEnds() {
        assertThat(counts(10)).containsExactly(1, 0, 0, 0);
        assertThat(counts(11)).containsExactly(0, 1, 0, 0);
        assertThat(counts(40)).containsExactly(0, 0, 1, 0);
        assertThat(counts(41)).containsExactly(0, 0, 0, 1);
        assertThat(counts(0, Long.MAX_VALUE)).containsExactly(1, 0, 0, 1);
    }

    @RepeatedTest(50)
    void theBucketDoesNotDependOnWhatCameBefore(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        long[] together = new long[20];
        long[] alone = new long[4];
        for (int i = 0; i < together.length; i++) {
            together[i] = random.nextInt(50);
            long[] one = counts(together[i]);
            for (int bucket = 0; bucket < alone.length; bucket++) {
                alone[bucket] += one[bucket];
            }
        }

        assertThat(counts(together)).isEqualTo(alone);
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

    /** How many durations each bucket up to 10, 20 and 40 ns gets, and the one above. */
    private static long[] counts(long... nanos) {
        DurationCounts durations = new DurationCounts(nanos.length);
        for (long one : nanos) {
            durations.add(one, 1);
        }
        BulkHistogram small =
                new BulkHistogram(List.of(Duration.ofNanos(10), Duration.ofNanos(20), Duration.ofNanos(40)));
        small.add(durations);
        return small.read().buckets().stream()
                .mapToLong(bucket -> bucket.getCount())
                .toArray();
    }
}
