package dev.tidemark.worker.query;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import org.junit.jupiter.api.Test;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.progress.IndexHealth;
import dev.tidemark.worker.lag.ShardLag;
import dev.tidemark.worker.query.Freshness.Quarantined;

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
        assertThat(Freshness.of(List.of(paused)).restoring().state()).isEqualTo(IndexHealth.PAUSED);
    }

    @Test
    void anIndexThatIsReadAgainSaysThatAndNotThatItIsDegraded() {
        Freshness restoring = Freshness.of(List.of()).restoring();

        assertThat(restoring.state()).isEqualTo(IndexHealth.RESTORING);
        assertThat(restoring.degraded(2).state()).isEqualTo(IndexHealth.RESTORING);
        assertThat(restoring.degraded(2).restoring().refused()).isEqualTo(2);
    }

    @Test
    void leavesOutTheQuarantinedRowsAndNothingElse() {
        Quarantined.Row row = new Quarantined.Row(KeyBytes.EMPTY, 3, "expected an object");
        Freshness named = new Freshness(
                Optional.of(NOON),
                Optional.of(Duration.ofSeconds(1)),
                IndexHealth.DEGRADED,
                List.of(2),
                new Quarantined(7, List.of(row)),
                5);

        assertThat(named.withoutQuarantinedRows())
                .isEqualTo(new Freshness(
                        Optional.of(NOON),
                        Optional.of(Duration.ofSeconds(1)),
                        IndexHealth.DEGRADED,
                        List.of(2),
                        new Quarantined(7, List.of()),
                        5));
    }

    @Test
    void togetherPartsAreAsOldAsTheOldestAndLackWhatAnyLacks() {
        Quarantined.Row row = new Quarantined.Row(KeyBytes.EMPTY, 3, "expected an object");
        Freshness older = part(Optional.of(NOON), List.of(2, 3), new Quarantined(7, List.of(row)));
        Freshness newer = part(Optional.of(NOON.plusSeconds(5)), List.of(2), Quarantined.NONE);

        assertThat(Freshness.together(List.of(newer, older), List.of(0)))
                .isEqualTo(new Freshness(
                        Optional.of(NOON),
                        Optional.of(Duration.ofSeconds(10)),
                        IndexHealth.DEGRADED,
                        List.of(0, 2, 3),
                        new Quarantined(7, List.of(row)),
                        2));
    }

    @Test
    void anAnswerThatLacksAPartitionIsNeitherSteadyNorJustLate() {
        Freshness whole = part(Optional.of(NOON), List.of(), Quarantined.NONE);
        Freshness lacking = Freshness.together(List.of(whole), List.of(1));

        assertThat(Freshness.together(List.of(whole), List.of()).state()).isEqualTo(IndexHealth.STEADY);
        assertThat(lacking.state()).isEqualTo(IndexHealth.DEGRADED);
        assertThat(Freshness.together(List.of(whole.restoring()), List.of(1)).state())
                .isEqualTo(IndexHealth.RESTORING);
    }

    @Test
    void theAgeOfPartsTogetherIsUnknownWhereThatOfOneIs() {
        Freshness known = part(Optional.of(NOON), List.of(), Quarantined.NONE);
        Freshness unknown = part(Optional.empty(), List.of(), Quarantined.NONE);

        Freshness together = Freshness.together(List.of(known, unknown), List.of());

        assertThat(together.completeUpTo()).isEmpty();
        assertThat(together.staleness()).isEmpty();
    }

    /** A part read ten seconds after noon, that lacks a row. */
    private static Freshness part(Optional<Instant> completeUpTo, List<Integer> missing, Quarantined quarantined) {
        Optional<Duration> staleness = completeUpTo.map(time -> Duration.between(time, NOON.plusSeconds(10)));
        return new Freshness(completeUpTo, staleness, IndexHealth.STEADY, missing, quarantined, 1);
    }
}
