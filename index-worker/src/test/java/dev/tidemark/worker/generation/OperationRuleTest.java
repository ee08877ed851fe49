package dev.tidemark.worker.generation;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.IndexOperation.Kind;
import dev.tidemark.worker.generation.LifecycleState.State;
import dev.tidemark.worker.store.GenerationState;
import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.testkit.Tables;

import static org.assertj.core.api.Assertions.assertThat;

class OperationRuleTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final DesiredIndex NEW = Definitions.first(Tables.catalog(), Instant.EPOCH)
            .index("films", "by_year")
            .orElseThrow();
    private static final DesiredIndex CHANGED =
            new DesiredIndex(new Generation(99, NEW.current().definition()), Optional.of(NEW.current()), false);

    @Test
    void onlyCopyingCanBePaused() {
        assertThat(refusal(Kind.PAUSE, NEW, State.BUILDING, false)).isEmpty();
        assertThat(refusal(Kind.PAUSE, NEW, State.PAUSED, false)).isEmpty();
        assertThat(refusal(Kind.PAUSE, NEW, State.READY, true))
                .contains(
                        "expected an index whose rows are being copied, which is what can be paused, but films.by_year"
                                + " is ready since 2026-01-01T12:00:00Z (cause)");
        assertThat(refusal(Kind.PAUSE, NEW, State.VERIFYING, false)).isPresent();
        assertThat(refusal(Kind.PAUSE, NEW, State.REBUILDING, true)).isPresent();
    }

    @Test
    void whatAnswersCannotBeGivenUp() {
        assertThat(refusal(Kind.CANCEL, NEW, State.READY, true))
                .hasValueSatisfying(text -> assertThat(text).endsWith("; drop it if it is not wanted"));
        assertThat(refusal(Kind.CANCEL, CHANGED, State.READY, true))
                .hasValueSatisfying(
                        text -> assertThat(text).endsWith("; roll it back to return to the generation before"));
        assertThat(refusal(Kind.CANCEL, NEW, State.DEGRADED, true)).isPresent();
    }

    @Test
    void whateverHasNotAnsweredYetCanBeGivenUp() {
        for (State state : new State[] {State.BUILDING, State.PAUSED, State.VERIFYING, State.DEGRADED}) {
            assertThat(refusal(Kind.CANCEL, NEW, state, false))
                    .as(state.label())
                    .isEmpty();
            assertThat(refusal(Kind.CANCEL, CHANGED, state, false))
                    .as(state.label())
                    .isEmpty();
        }
    }

    @Test
    void whatMayAnswerInPartitionsOfWhichNothingIsKnownCannotBeGivenUp() {
        GenerationState.Ready ready = new GenerationState.Ready(NOON, "proven");
        GenerationState.Building building = new GenerationState.Building(1, 9, 0, NOON, "wanted");
        for (GenerationState phase : List.of(
                ready,
                new GenerationState.Degraded(false, NOON, "12 rows"),
                new GenerationState.Verifying(false, NOON, "copied"),
                new GenerationState.Rebuilding(NOON, "lost"))) {
            LifecycleState known = LifecycleRule.of(List.of(life(phase)), 0);
            assertThat(OperationRule.refusal(Kind.CANCEL, NEW, LifecycleRule.besides(known, 1, 4, "any worker")))
                    .as("%s", phase)
                    .hasValueSatisfying(text -> assertThat(text).contains("does not know"));
        }
        LifecycleState degraded =
                LifecycleRule.of(List.of(life(new GenerationState.Degraded(false, NOON, "12 rows"))), 0);
        LifecycleState partly = LifecycleRule.besides(degraded, 1, 4, "any worker");
        assertThat(partly.state()).as("what is known is shown").isEqualTo(State.DEGRADED);
        assertThat(partly.cause()).isEqualTo("12 rows");
        assertThat(OperationRule.refusal(Kind.CANCEL, NEW, partly))
                .hasValueSatisfying(
                        text -> assertThat(text).endsWith("1 of the 4 partitions of its table are not at any worker"));

        for (GenerationState phase : List.of(building, new GenerationState.Paused(building, NOON, "asked"))) {
            LifecycleState known = LifecycleRule.of(List.of(life(ready), life(phase)), 0);
            assertThat(OperationRule.refusal(Kind.CANCEL, NEW, LifecycleRule.besides(known, 1, 4, "any worker")))
                    .as("one shard that has not been built says it of the whole: %s", phase)
                    .isEmpty();
        }
    }

    private static Optional<ShardLife> life(GenerationState phase) {
        return Optional.of(ShardLife.of(GenerationStatus.begun(1, "text", phase)));
    }

    @Test
    void aWorkerThatCannotTellDoesNotGuess() {
        assertThat(refusal(Kind.CANCEL, NEW, State.UNKNOWN, false))
                .hasValueSatisfying(text -> assertThat(text).contains("does not know"));
        assertThat(refusal(Kind.PAUSE, NEW, State.UNKNOWN, false)).isPresent();
    }

    @Test
    void everythingElseIsForTheKeeperOfTheDefinitions() {
        assertThat(refusal(Kind.RESUME, NEW, State.READY, true)).isEmpty();
        assertThat(refusal(Kind.ROLLBACK, NEW, State.READY, true)).isEmpty();
    }

    private static Optional<String> refusal(Kind kind, DesiredIndex plan, State state, boolean serves) {
        return OperationRule.refusal(kind, plan, new LifecycleState(state, Optional.of(NOON), "cause", serves));
    }
}
