package dev.tidemark.worker.store;

import java.time.Instant;

import org.junit.jupiter.api.Test;

import dev.tidemark.digest.Digest;
import dev.tidemark.worker.store.GenerationState.Degraded;
import dev.tidemark.worker.store.GenerationState.Dropping;
import dev.tidemark.worker.store.GenerationState.Ready;
import dev.tidemark.worker.store.GenerationState.Verifying;

import static org.assertj.core.api.Assertions.assertThat;

class GenerationStatusTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final Instant LATER = NOON.plusSeconds(60);

    private final GenerationStatus unproven =
            GenerationStatus.begun(3, "text", new Verifying(false, NOON, "every row has been copied"));
    private final GenerationStatus proven = unproven.in(new Ready(NOON, "proven"));

    @Test
    void answersOnceItWasProvenEvenIfItIsFoundWrongLater() {
        assertThat(unproven.serves()).isFalse();
        assertThat(unproven.in(new Degraded(false, NOON, "differs")).serves()).isFalse();
        assertThat(proven.serves()).isTrue();
        assertThat(proven.in(new Degraded(false, LATER, "differs")).serves()).isTrue();
        assertThat(proven.in(new Dropping(LATER, "gone")).serves()).isFalse();
    }

    @Test
    void answersSinceItsFirstProof() {
        assertThat(unproven.servedSince()).isEmpty();
        assertThat(proven.servedSince()).contains(NOON);
        assertThat(proven.in(new Verifying(false, LATER, "again"))
                        .in(new Ready(LATER, "proven again"))
                        .servedSince())
                .contains(NOON);
        assertThat(GenerationStatus.begun(3, "text", new Ready(LATER, "proven")).servedSince())
                .contains(LATER);
    }

    @Test
    void whatIsLostComesAgainAndAnswersThen() {
        GenerationStats some = new GenerationStats(2, 1, 0, new Digest(1, 2), new Digest(3, 4));
        GenerationStatus lost = proven.with(some).lost(LATER, "damaged");
        assertThat(lost.tally()).isEqualTo(GenerationStats.NONE);
        assertThat(lost.serves()).isFalse();
        assertThat(lost.isRestoring()).isTrue();

        GenerationStatus again = lost.in(new Verifying(true, LATER, "read again"));
        assertThat(again.serves()).isTrue();
        assertThat(again.isRestoring()).isFalse();
    }

    @Test
    void whatWasBuiltAgainAndNeverProvenIsRestoringUntilItIs() {
        GenerationStatus rebuilt = GenerationStatus.begun(3, "text", new Verifying(true, NOON, "read again"));
        assertThat(rebuilt.isRestoring()).isTrue();
        assertThat(unproven.isRestoring()).as("copied, not built again").isFalse();
        assertThat(rebuilt.in(new Ready(LATER, "proven")).isRestoring()).isFalse();
    }
}
