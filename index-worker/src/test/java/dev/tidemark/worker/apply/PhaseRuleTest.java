package dev.tidemark.worker.apply;

import java.time.Instant;

import org.junit.jupiter.api.Test;

import dev.tidemark.worker.store.Phase;

import static org.assertj.core.api.Assertions.assertThat;

class PhaseRuleTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final Instant LATER = NOON.plusSeconds(60);
    private static final Proof EQUAL = new Proof.Equal();

    @Test
    void aVerifyingGenerationThatIsFoundEqualBecomesReady() {
        Phase after = PhaseRule.judged(new Phase.Verifying(false, NOON, "copied"), EQUAL, LATER);

        assertThat(after).isInstanceOf(Phase.Ready.class);
        assertThat(after.since()).isEqualTo(LATER);
    }

    @Test
    void aGenerationThatDifferedBecomesReadyWhenItIsFoundEqual() {
        Phase degraded = new Phase.Degraded(false, NOON, "3 entries are not as the table says");

        assertThat(PhaseRule.judged(degraded, EQUAL, LATER)).isInstanceOf(Phase.Ready.class);
    }

    @Test
    void beingEqualDoesNotHealAGenerationThatCannotHoldSomeRows() {
        Phase refusing = new Phase.Degraded(true, NOON, "the index cannot hold 2 rows of its table");

        assertThat(PhaseRule.judged(refusing, EQUAL, LATER)).isEqualTo(refusing);
    }

    @Test
    void aComparisonThatCameToNothingChangesNoPhase() {
        Phase verifying = new Phase.Verifying(false, NOON, "copied");

        assertThat(PhaseRule.judged(verifying, new Proof.Undecided("too late"), LATER))
                .isEqualTo(verifying);
    }
}
