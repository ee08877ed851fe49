package dev.tidemark.worker.query;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import org.junit.jupiter.api.Test;

import dev.tidemark.progress.IndexHealth;
import dev.tidemark.worker.lag.ShardLag;

import static org.assertj.core.api.Assertions.assertThat;

class FreshnessTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    @Test
    void theAnswerOfADegradedIndexSaysSoAndHowManyRowsItLacks() {
        Freshness freshness = Freshness.of(List.of()).degraded(3);

        assertThat(freshness.state()).isEqualTo(IndexHealth.DEGRADED);
        assertThat(freshness.refused()).isEqualTo(3);
    }

    @Test
    void aPauseStaysTheStateOfADegradedIndex() {
        ShardLag paused = new ShardLag(Optional.empty(), Optional.empty(), OptionalLong.empty(), NOON, true);

        assertThat(Freshness.of(List.of(paused)).degraded(1).state()).isEqualTo(IndexHealth.PAUSED);
    }
}
