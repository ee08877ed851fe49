package dev.tidemark.worker.lag;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RecentTimesTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final RecentTimes times = new RecentTimes();

    @Test
    void quantilesAreRightToWithinAQuarterAndNeverTooSmall() {
        for (int millis = 1; millis <= 1_000; millis++) {
            times.add(Duration.ofMillis(millis), 1, NOW);
        }
        RecentTimes.Summary summary = times.summary(NOW);
        assertThat(summary.count()).isEqualTo(1_000);
        assertThat(summary.p50()).isBetween(Duration.ofMillis(500), Duration.ofMillis(625));
        assertThat(summary.p99()).isBetween(Duration.ofMillis(990), Duration.ofMillis(1_000));
        assertThat(summary.max()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void forgetsWhatIsOldButNotHowManyThereWere() {
        times.add(Duration.ofSeconds(10), 1, NOW);
        times.add(Duration.ofMillis(1), 1, NOW.plusSeconds(200));
        RecentTimes.Summary summary = times.summary(NOW.plusSeconds(200));
        assertThat(summary.count()).isEqualTo(2);
        assertThat(summary.max()).isEqualTo(Duration.ofMillis(1));
    }

    @Test
    void hasABucketForTheShortestAndTheLongest() {
        times.add(Duration.ZERO, 1, NOW);
        times.add(Duration.ofDays(300), 1, NOW);
        assertThat(times.summary(NOW).max()).isEqualTo(Duration.ofDays(300));
        assertThat(new RecentTimes().summary(NOW)).isEqualTo(RecentTimes.Summary.NONE);
    }
}
