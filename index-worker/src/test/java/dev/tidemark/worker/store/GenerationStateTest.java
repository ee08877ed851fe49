package dev.tidemark.worker.store;

import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.Test;

import dev.tidemark.worker.store.GenerationState.Building;
import dev.tidemark.worker.store.GenerationState.Degraded;
import dev.tidemark.worker.store.GenerationState.Dropping;
import dev.tidemark.worker.store.GenerationState.Paused;
import dev.tidemark.worker.store.GenerationState.Ready;
import dev.tidemark.worker.store.GenerationState.Rebuilding;
import dev.tidemark.worker.store.GenerationState.Verifying;

import static org.assertj.core.api.Assertions.assertThat;

class GenerationStateTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final Instant LATER = NOON.plusSeconds(60);

    private final Building building = new Building(5, 9, 0, NOON, "wanted");

    @Test
    void onlyWhatHasAllRowsIsWhole() {
        List<GenerationState> whole = List.of(
                new Verifying(false, LATER, "copied"),
                new Ready(LATER, "proven"),
                new Degraded(false, LATER, "differs"));
        List<GenerationState> others = List.of(
                building,
                new Paused(building, LATER, "stopped"),
                new Rebuilding(NOON, "lost"),
                new Dropping(NOON, "gone"));

        assertThat(whole).allMatch(GenerationState::isWhole);
        assertThat(others).noneMatch(GenerationState::isWhole);
    }

    @Test
    void copyingGoesForwardUpToItsEnd() {
        assertThat(building.isCopied()).isFalse();
        assertThat(building.copiedTo(8)).isEqualTo(new Building(8, 9, 0, NOON, "wanted"));
        assertThat(building.copiedTo(8).isCopied()).isFalse();
        assertThat(building.copiedTo(100).copied()).isEqualTo(9);
        assertThat(building.copiedTo(100).isCopied()).isTrue();
        assertThat(building.copiedTo(3)).isEqualTo(building);
    }
}
