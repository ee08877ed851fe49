package dev.tidemark.worker.lag;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;

import dev.tidemark.runtime.DurationCounts;

import static org.assertj.core.api.Assertions.assertThat;

class RecentDurationsTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final RecentDurations times = new RecentDurations();

    @Test
    void quantilesAreRightToWithinATenthAndNeverTooSmall() {
        for (int millis = 1; millis <= 1_000; millis++) {
            add(Duration.ofMillis(millis), NOW);
        }
        RecentDurations.Summary summary = times.summary(NOW);
        assertThat(summary.count()).isEqualTo(1_000);
        assertThat(summary.p50()).isBetween(Duration.ofMillis(500), Duration.ofMillis(550));
        assertThat(summary.p99()).isBetween(Duration.ofMillis(990), Duration.ofMillis(1_000));
        assertThat(summary.max()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void forgetsWhatIsOldButNotHowManyThereWere() {
        add(Duration.ofSeconds(10), NOW);
        add(Duration.ofMillis(1), NOW.plusSeconds(200));
        RecentDurations.Summary summary = times.summary(NOW.plusSeconds(200));
        assertThat(summary.count()).isEqualTo(2);
        assertThat(summary.recent()).isEqualTo(1);
        assertThat(summary.max()).isEqualTo(Duration.ofMillis(1));
    }

    @Test
    void speaksOfTheMinuteThatRunsAndTheOneBefore() {
        add(Duration.ofSeconds(1), NOW);
        add(Duration.ofSeconds(3), NOW.plusSeconds(60));
        RecentDurations.Summary summary = times.summary(NOW.plusSeconds(119));
        assertThat(summary.recent()).isEqualTo(2);
        assertThat(summary.mean()).isEqualTo(Duration.ofSeconds(2));
        assertThat(summary.max()).isEqualTo(Duration.ofSeconds(3));

        assertThat(times.summary(NOW.plusSeconds(120)).mean()).isEqualTo(Duration.ofSeconds(3));
        add(Duration.ofSeconds(5), NOW.plusSeconds(120));
        assertThat(times.summary(NOW.plusSeconds(240)).recent()).isZero();
    }

    @Test
    void hasABucketForTheShortestAndTheLongest() {
        add(Duration.ZERO, NOW);
        add(Duration.ofDays(300), NOW);
        assertThat(times.summary(NOW).max()).isEqualTo(Duration.ofDays(300));
        assertThat(new RecentDurations().summary(NOW)).isEqualTo(RecentDurations.Summary.NONE);
    }

    private void add(Duration time, Instant now) {
        DurationCounts one = new DurationCounts(1);
        one.add(time.toNanos(), 1);
        times.add(one, now);
    }
}
