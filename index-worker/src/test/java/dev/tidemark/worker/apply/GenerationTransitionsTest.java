package dev.tidemark.worker.apply;

import java.time.Instant;

import org.junit.jupiter.api.Test;

import dev.tidemark.worker.store.GenerationState;

import static org.assertj.core.api.Assertions.assertThat;

class GenerationTransitionsTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final Instant LATER = NOON.plusSeconds(60);
    private static final VerificationResult EQUAL = new VerificationResult.Equal();

    @Test
    void aVerifyingGenerationThatIsFoundEqualBecomesReady() {
        GenerationState after =
                GenerationTransitions.judged(new GenerationState.Verifying(false, NOON, "copied"), EQUAL, LATER);

        assertThat(after).isInstanceOf(GenerationState.Ready.class);
        assertThat(after.since()).isEqualTo(LATER);
    }

    @Test
    void aGenerationThatDifferedBecomesReadyWhenItIsFoundEqual() {
        GenerationState degraded = new GenerationState.Degraded(false, NOON, "3 entries are not as the table says");

        assertThat(GenerationTransitions.judged(degraded, EQUAL, LATER)).isInstanceOf(GenerationState.Ready.class);
    }

    @Test
    void beingEqualDoesNotHealAGenerationThatCannotHoldSomeRows() {
        GenerationState refusing =
                new GenerationState.Degraded(true, NOON, "the index cannot hold 2 rows of its table");

        assertThat(GenerationTransitions.judged(refusing, EQUAL, LATER)).isEqualTo(refusing);
    }

    @Test
    void aComparisonThatCameToNothingChangesNoPhase() {
        GenerationState verifying = new GenerationState.Verifying(false, NOON, "copied");

        assertThat(GenerationTransitions.judged(verifying, new VerificationResult.Undecided("too late"), LATER))
                .isEqualTo(verifying);
    }
}
