package dev.tidemark.worker.failpoint;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.worker.store.GenerationState;
import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.ShardBatch;
import dev.tidemark.worker.store.ShardCheckpoint;

import static org.assertj.core.api.Assertions.assertThat;

class BatchStepsTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final GenerationState.Building BUILDING = new GenerationState.Building(0, 100, 0, NOW, "new");

    private final GenerationStatus building = GenerationStatus.begun(1, "{}", BUILDING);
    private final ShardCheckpoint held = ShardCheckpoint.EMPTY.with(building);

    @Test
    void aGenerationThatIsNamedForTheFirstTimeBegins() {
        BatchSteps steps = BatchSteps.of(ShardCheckpoint.EMPTY, ShardBatch.of(held));
        assertThat(steps.before()).isEmpty();
        assertThat(steps.after()).containsExactly(WorkerFailpoint.BUILD_BEGUN);
    }

    @Test
    void aBuildThatReadsOnCopies() {
        BatchSteps steps = BatchSteps.of(held, ShardBatch.of(held.with(building.in(BUILDING.copiedTo(50)))));
        assertThat(steps.before()).containsExactly(WorkerFailpoint.COPY_BEFORE_PAGE);
        assertThat(steps.after()).containsExactly(WorkerFailpoint.COPY_WRITTEN);
    }

    @Test
    void aGenerationThatIsProvenSwitches() {
        GenerationStatus verifying = building.in(new GenerationState.Verifying(false, NOW, "copied"));
        BatchSteps begun = BatchSteps.of(held, ShardBatch.of(held.with(verifying)));
        assertThat(begun.after()).containsExactly(WorkerFailpoint.VERIFY_BEGUN);

        GenerationStatus ready = building.in(new GenerationState.Ready(NOW, "proven"));
        BatchSteps proven = BatchSteps.of(held.with(verifying), ShardBatch.of(held.with(ready)));
        assertThat(proven.before()).containsExactly(WorkerFailpoint.SWITCH_BEFORE);
        assertThat(proven.after()).containsExactly(WorkerFailpoint.SWITCH_DONE);
    }

    @Test
    void aGenerationThatIsNotNamedAnyMoreIsForgotten() {
        BatchSteps steps = BatchSteps.of(held, ShardBatch.of(held.without(1)));
        assertThat(steps.after()).containsExactly(WorkerFailpoint.DROP_FORGOTTEN);
    }

    @Test
    void aBatchThatMovesOnAndChangesRowsApplies() {
        ShardCheckpoint moved =
                new ShardCheckpoint(7, held.leaderEpoch(), held.progress(), NOW, held.generations(), 0, 0);
        ShardBatch rows =
                new ShardBatch(List.of(), Map.of(KeyBytes.wrap(new byte[] {1}), Optional.empty()), Map.of(), moved);
        assertThat(BatchSteps.of(held, rows).before()).containsExactly(WorkerFailpoint.APPLY_BEFORE_BATCH);
        assertThat(BatchSteps.of(held, rows).after()).containsExactly(WorkerFailpoint.APPLY_WRITTEN);
        assertThat(BatchSteps.of(held, ShardBatch.of(moved)).after()).isEmpty();
    }
}
