package dev.tidemark.worker.generation;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.digest.Digest;
import dev.tidemark.worker.generation.LifecycleState.State;
import dev.tidemark.worker.store.GenerationState;
import dev.tidemark.worker.store.GenerationStats;
import dev.tidemark.worker.store.GenerationStatus;

import static org.assertj.core.api.Assertions.assertThat;

class LifecycleRuleTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final GenerationState.Ready READY = new GenerationState.Ready(NOON, "proven");
    private static final GenerationState.Building BUILDING =
            new GenerationState.Building(1, 9, 0, NOON.plusSeconds(5), "wanted");

    @Test
    void isReadySinceItsLastShardIs() {
        LifecycleState lifecycleState =
                lifecycleState(READY, new GenerationState.Ready(NOON.plusSeconds(9), "proven too"));

        assertThat(lifecycleState)
                .isEqualTo(new LifecycleState(State.READY, Optional.of(NOON.plusSeconds(9)), "proven too", true));
    }

    @Test
    void theShardThatIsFurthestFromReadyDecides() {
        assertThat(lifecycleState(READY, BUILDING).state()).isEqualTo(State.BUILDING);
        assertThat(lifecycleState(READY, BUILDING).serves()).isFalse();
        assertThat(lifecycleState(BUILDING, new GenerationState.Paused(BUILDING, NOON, "asked"))
                        .state())
                .isEqualTo(State.PAUSED);
        assertThat(lifecycleState(READY, new GenerationState.Verifying(false, NOON, "copied"))
                        .state())
                .isEqualTo(State.VERIFYING);
        assertThat(lifecycleState(BUILDING, new GenerationState.Degraded(false, NOON, "12 rows")))
                .isEqualTo(new LifecycleState(State.DEGRADED, Optional.of(NOON), "12 rows", false));
        assertThat(lifecycleState(new GenerationState.Rebuilding(NOON, "new"), READY))
                .isEqualTo(new LifecycleState(State.REBUILDING, Optional.of(NOON), "new", false));
        assertThat(lifecycleState(new GenerationState.Verifying(true, NOON, "read again"), READY)
                        .state())
                .isEqualTo(State.REBUILDING);
        assertThat(lifecycleState(new GenerationState.Dropping(NOON, "gone"), READY)
                        .state())
                .isEqualTo(State.DROPPING);
    }

    @Test
    void isBeingBuiltWhileAShardHasNotBegun() {
        List<Optional<ShardLife>> shards = new ArrayList<>(statuses(READY));
        shards.add(Optional.empty());

        assertThat(LifecycleRule.of(shards, 0).state()).isEqualTo(State.BUILDING);
    }

    @Test
    void isUnknownWhereNothingTellsOfIt() {
        assertThat(LifecycleRule.of(List.of(), 0).state()).isEqualTo(State.UNKNOWN);
        assertThat(LifecycleRule.of(statuses(READY), 1).cause()).isEqualTo("1 of its shards here are being opened");
    }

    @Test
    void rowsThatItCannotHoldAreCountedOverAllShards() {
        List<Optional<ShardLife>> shards = new ArrayList<>();
        for (long refused = 0; refused < 3; refused++) {
            GenerationState phase =
                    refused == 0 ? READY : new GenerationState.Degraded(true, NOON, "it cannot hold some");
            shards.add(Optional.of(ShardLife.of(GenerationStatus.begun(1, "text", phase)
                    .with(new GenerationStats(7, 9, refused, Digest.EMPTY, Digest.EMPTY)))));
        }

        assertThat(LifecycleRule.of(shards, 0).cause()).isEqualTo("the index cannot hold 3 rows of its table");
    }

    private static LifecycleState lifecycleState(GenerationState... phases) {
        return LifecycleRule.of(statuses(phases), 0);
    }

    private static List<Optional<ShardLife>> statuses(GenerationState... phases) {
        List<Optional<ShardLife>> statuses = new ArrayList<>();
        for (GenerationState phase : phases) {
            statuses.add(Optional.of(ShardLife.of(GenerationStatus.begun(1, "text", phase))));
        }
        return statuses;
    }
}
