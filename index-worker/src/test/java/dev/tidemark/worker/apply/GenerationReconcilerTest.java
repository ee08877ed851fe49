package dev.tidemark.worker.apply;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.DefinitionText;
import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.Generation;
import dev.tidemark.progress.Progress;
import dev.tidemark.worker.store.GenerationState;
import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.testkit.Tables;

import static org.assertj.core.api.Assertions.assertThat;

class GenerationReconcilerTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final Instant LATER = NOON.plusSeconds(60);
    private static final GenerationState READY = new GenerationState.Ready(NOON, "a test");
    private static final long OFFSET = 7;

    private final DesiredTable plan = Tables.plan(Tables.films());
    private final GenerationReconciler reconciler = new GenerationReconciler(plan);

    @Test
    void aShardThatBeginsIsBuiltFromTheBeginningOfItsTopic() {
        assertThat(next(ShardCheckpoint.EMPTY))
                .hasValueSatisfying(step ->
                        assertThat(added(step)).extracting(GenerationStatus::id).containsExactly(1L, 2L, 3L));
        assertThat(next(ShardCheckpoint.EMPTY))
                .hasValueSatisfying(step -> assertThat(added(step))
                        .extracting(GenerationStatus::phase)
                        .hasOnlyElementsOfType(GenerationState.Rebuilding.class));
    }

    @Test
    void aGenerationThatIsAddedLaterIsCopiedUpToWhereTheShardIs() {
        assertThat(next(holding(wanted(1, READY), wanted(2, READY))))
                .contains(new ReconcileAction.Add(
                        List.of(wanted(3, new GenerationState.Building(0, OFFSET, 0, LATER, "it is wanted now")))));
    }

    @Test
    void nothingIsLeftToDoWhereWhatIsWantedIsHeld() {
        assertThat(next(holding(wanted(1, READY), wanted(2, READY), wanted(3, READY))))
                .isEmpty();
    }

    @Test
    void aGenerationThatIsNotWantedIsDroppedBeforeAnotherIsAdded() {
        GenerationStatus old = GenerationStatus.begun(9, "another definition", READY);

        Optional<ReconcileAction> first = next(holding(wanted(1, READY), old));

        assertThat(first).hasValueSatisfying(step -> {
            assertThat(passed(step).id()).isEqualTo(9);
            assertThat(passed(step).phase())
                    .isEqualTo(new GenerationState.Dropping(LATER, "generation 9 is not wanted any more"));
            assertThat(next(holding(wanted(1, READY), passed(step)))).contains(new ReconcileAction.Drop(9));
        });
    }

    @Test
    void theSameNumberWithAnotherDefinitionIsNotTheWantedGeneration() {
        ShardCheckpoint foreign =
                holding(GenerationStatus.begun(1, "another definition", READY), wanted(2, READY), wanted(3, READY));

        assertThat(next(foreign))
                .hasValueSatisfying(
                        step -> assertThat(passed(step).phase()).isInstanceOf(GenerationState.Dropping.class));
        assertThat(reconciler.planned(foreign)).containsOnlyKeys(2L, 3L);
    }

    @Test
    void changesArePlannedForWantedGenerationsThatAreHeldAndStay() {
        ShardCheckpoint some = holding(
                wanted(1, READY),
                wanted(2, new GenerationState.Dropping(NOON, "a test")),
                GenerationStatus.begun(9, "x", READY));

        assertThat(reconciler.planned(some)).containsOnlyKeys(1L);
    }

    @Test
    void onlyTheBuildingOfAnIndexThatIsPausedRests() {
        List<DesiredIndex> indexes = plan.indexes().stream()
                .map(index -> new DesiredIndex(
                        index.current(), index.previous(), index.current().id() == 2))
                .toList();
        GenerationReconciler resting = new GenerationReconciler(new DesiredTable(plan.definition(), indexes));
        GenerationState.Building building = new GenerationState.Building(0, OFFSET, 0, NOON, "a test");

        Optional<ReconcileAction> step = resting.next(
                holding(wanted(1, building), wanted(2, building), wanted(3, building)), false, Map.of(), LATER);

        assertThat(step).hasValueSatisfying(pass -> {
            assertThat(passed(pass).id()).isEqualTo(2);
            assertThat(passed(pass).phase()).isInstanceOf(GenerationState.Paused.class);
        });
    }

    @Test
    void whereTheLogEndedIsKnownGenerationByGeneration() {
        GenerationState copied = new GenerationState.Building(OFFSET, OFFSET, 1, NOON, "a test");
        ShardCheckpoint lacking = holding(wanted(1, copied), wanted(2, copied), wanted(3, READY));

        assertThat(reconciler.next(lacking, false, Map.of(), LATER)).isEmpty();
        assertThat(reconciler.next(lacking, false, Map.of(2L, OFFSET), LATER))
                .hasValueSatisfying(step -> assertThat(passed(step).id()).isEqualTo(2));
    }

    private Optional<ReconcileAction> next(ShardCheckpoint checkpoint) {
        return reconciler.next(checkpoint, false, Map.of(), LATER);
    }

    private static List<GenerationStatus> added(ReconcileAction step) {
        assertThat(step).isInstanceOf(ReconcileAction.Add.class);
        return ((ReconcileAction.Add) step).begun();
    }

    private static GenerationStatus passed(ReconcileAction step) {
        assertThat(step).isInstanceOf(ReconcileAction.Pass.class);
        return ((ReconcileAction.Pass) step).after();
    }

    private GenerationStatus wanted(long id, GenerationState phase) {
        Generation generation = plan.generations().get((int) id - 1);
        return GenerationStatus.begun(id, DefinitionText.of(generation.definition()), phase);
    }

    /** A shard that has a row which none of its generations has. */
    private static ShardCheckpoint holding(GenerationStatus... generations) {
        SortedMap<Long, GenerationStatus> held = new TreeMap<>();
        for (GenerationStatus status : generations) {
            held.put(status.id(), status);
        }
        return new ShardCheckpoint(OFFSET, OptionalInt.empty(), Progress.UNKNOWN, Instant.MIN, held, 1, 0);
    }
}
