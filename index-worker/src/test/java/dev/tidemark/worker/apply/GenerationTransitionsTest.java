package dev.tidemark.worker.apply;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.tidemark.digest.Digest;
import dev.tidemark.progress.Progress;
import dev.tidemark.worker.store.GenerationState;
import dev.tidemark.worker.store.GenerationStats;
import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.ShardCheckpoint;

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

        assertThat(GenerationTransitions.judged(degraded, EQUAL, LATER))
                .isEqualTo(new GenerationState.Ready(LATER, "proven equal to its table"));
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

    @Test
    void aGenerationOfWhichAllIsCopiedIsVerified() {
        assertThat(next(copied(0), 2, 10, null))
                .isEqualTo(new GenerationState.Verifying(false, LATER, "every row of the table has been copied"));
        assertThat(next(new GenerationState.Building(0, 11, 1, NOON, "a test"), 2, 10, null))
                .as("not all of it")
                .isEqualTo(new GenerationState.Building(0, 11, 1, NOON, "a test"));
    }

    @Test
    void whatIsLackingIsCopiedOnceMoreWhenTheShardIsWhereTheLogEnded() {
        assertThat(next(copied(0), 3, 10, null)).as("nobody knows where").isEqualTo(copied(0));
        assertThat(next(copied(0), 3, 10, 11L)).as("not there yet").isEqualTo(copied(0));
        assertThat(next(copied(0), 3, 10, 10L))
                .isEqualTo(new GenerationState.Building(
                        0, 10, 1, LATER, "1 rows of the table were not found in the topic"));
    }

    @Test
    void whatIsLackingTheSecondTimeDegradesTheGeneration() {
        assertThat(next(copied(1), 5, 10, 10L))
                .isEqualTo(
                        new GenerationState.Degraded(false, LATER, "3 rows of the table were not found in the topic"));
    }

    @Test
    void anOperatorStopsABuildAndLetsItGoOnWhereItWas() {
        GenerationState.Building building = new GenerationState.Building(4, 9, 1, NOON, "copied");
        GenerationTransitions resting = new GenerationTransitions(true, false, Optional.empty(), LATER);

        GenerationState paused = resting.next(status(building, 0), shard(3, 10));

        assertThat(paused).isEqualTo(new GenerationState.Paused(building, LATER, "paused by an operator"));
        assertThat(resting.next(status(paused, 0), shard(3, 10))).isEqualTo(paused);
        assertThat(next(paused, 3, 10, null))
                .isEqualTo(new GenerationState.Building(4, 9, 1, LATER, "resumed by an operator"));
    }

    @Test
    void aGenerationIsRebuiltUntilTheShardIsRestored() {
        GenerationState rebuilding = new GenerationState.Rebuilding(NOON, "lost");

        assertThat(new GenerationTransitions(false, true, Optional.empty(), LATER)
                        .next(status(rebuilding, 0), shard(2, 10)))
                .isEqualTo(rebuilding);
        assertThat(next(rebuilding, 2, 10, null))
                .isInstanceOfSatisfying(
                        GenerationState.Verifying.class,
                        after -> assertThat(after.rebuilt()).isTrue());
    }

    @Test
    void aRowThatTheIndexCannotHoldDegradesAGenerationUntilItIsGone() {
        GenerationState ready = new GenerationState.Ready(NOON, "proven");
        GenerationState verifying = new GenerationState.Verifying(false, NOON, "copied");
        GenerationState refusing =
                new GenerationState.Degraded(true, LATER, "the index cannot hold 1 rows of its table");
        GenerationState differing = new GenerationState.Degraded(false, NOON, "an entry is wrong");

        assertThat(after(ready, 1)).isEqualTo(refusing);
        assertThat(after(verifying, 1)).isEqualTo(refusing);
        assertThat(after(refusing, 1)).isEqualTo(refusing);
        assertThat(after(refusing, 0)).isInstanceOf(GenerationState.Verifying.class);
        assertThat(List.of(after(ready, 0), after(verifying, 0), after(differing, 0)))
                .containsExactly(ready, verifying, differing);
    }

    @Test
    void aGenerationThatDiffersIsDegradedWhereItWasTakenForWhole() {
        VerificationResult different = new VerificationResult.Different("2 entries are lacking");
        GenerationState degraded = new GenerationState.Degraded(false, LATER, "2 entries are lacking");
        GenerationState worse = new GenerationState.Degraded(false, NOON, "an entry is wrong");
        GenerationState ready = new GenerationState.Ready(NOON, "proven");
        GenerationState.Building building = copied(0);

        assertThat(GenerationTransitions.judged(ready, different, LATER)).isEqualTo(degraded);
        assertThat(GenerationTransitions.judged(new GenerationState.Verifying(false, NOON, "copied"), different, LATER))
                .isEqualTo(degraded);
        assertThat(GenerationTransitions.judged(worse, different, LATER)).isEqualTo(worse);
        assertThat(GenerationTransitions.judged(building, different, LATER)).isEqualTo(building);
        assertThat(GenerationTransitions.judged(building, EQUAL, LATER)).isEqualTo(building);
        assertThat(GenerationTransitions.judged(ready, EQUAL, LATER)).isEqualTo(ready);
    }

    /** A build that has read all that there was. */
    private static GenerationState.Building copied(int passes) {
        return new GenerationState.Building(9, 9, passes, NOON, "a test");
    }

    private static GenerationState after(GenerationState state, long refused) {
        return new GenerationTransitions(false, false, Optional.empty(), LATER)
                .next(status(state, refused), shard(2, 10));
    }

    private static GenerationState next(GenerationState state, long liveRows, long offset, @Nullable Long settled) {
        return new GenerationTransitions(false, false, Optional.ofNullable(settled), LATER)
                .next(status(state, 0), shard(liveRows, offset));
    }

    /** A generation with two rows. */
    private static GenerationStatus status(GenerationState state, long refused) {
        return GenerationStatus.begun(1, "definition", state)
                .with(new GenerationStats(2, 2, refused, Digest.EMPTY, Digest.EMPTY));
    }

    private static ShardCheckpoint shard(long liveRows, long offset) {
        return new ShardCheckpoint(
                offset, OptionalInt.empty(), Progress.UNKNOWN, Instant.MIN, new TreeMap<>(), liveRows, 0);
    }
}
