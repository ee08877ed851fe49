package dev.tidemark.worker.store;

import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.Test;

import dev.tidemark.worker.store.GenerationState.Building;
import dev.tidemark.worker.store.GenerationState.Degraded;
import dev.tidemark.worker.store.GenerationState.Dropping;
import dev.tidemark.worker.store.GenerationState.Ready;
import dev.tidemark.worker.store.GenerationState.Rebuilding;
import dev.tidemark.worker.store.GenerationState.Verifying;

import static org.assertj.core.api.Assertions.assertThat;

class GenerationStateTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final Instant LATER = NOON.plusSeconds(60);

    private final Building building = new Building(5, 9, 0, NOON, "wanted");

    @Test
    void onlyWhatIsBuiltConcernsTheCopierAndOnlyWhatHasAllRowsIsWhole() {
        List<GenerationState> whole = List.of(
                building.complete(LATER), building.complete(LATER).proven(LATER), building.degraded(LATER, "differs"));
        List<GenerationState> others = List.of(
                building, building.paused(LATER, "stopped"), new Rebuilding(NOON, "lost"), new Dropping(NOON, "gone"));

        assertThat(whole).allMatch(GenerationState::isWhole).noneMatch(GenerationState::isBuilding);
        assertThat(others).noneMatch(GenerationState::isWhole);
        assertThat(others).filteredOn(GenerationState::isBuilding).containsExactly(building);
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

    @Test
    void whatIsResumedGoesOnWhereItWasPaused() {
        Building twice = building.again(20, LATER, "rows lacking");
        assertThat(twice).isEqualTo(new Building(0, 20, 1, LATER, "rows lacking"));

        Building resumed = twice.copiedTo(7).paused(LATER, "by hand").resumed(LATER.plusSeconds(1), "by hand");

        assertThat(resumed).isEqualTo(new Building(7, 20, 1, LATER.plusSeconds(1), "by hand"));
    }

    @Test
    void aProofEndsOneWayOrTheOther() {
        Verifying waiting = new Rebuilding(NOON, "lost").complete(LATER);
        assertThat(waiting.rebuilt()).isTrue();
        assertThat(building.complete(LATER).rebuilt()).isFalse();

        Ready ready = waiting.proven(LATER);
        assertThat(ready.since()).isEqualTo(LATER);
        assertThat(waiting.refuted(LATER, "differs")).isEqualTo(new Degraded(false, LATER, "differs"));
        assertThat(waiting.refusing(LATER, "too long")).isEqualTo(new Degraded(true, LATER, "too long"));
        assertThat(ready.degraded(LATER, "differs")).isEqualTo(new Degraded(false, LATER, "differs"));
        assertThat(ready.refusing(LATER, "too long")).isEqualTo(new Degraded(true, LATER, "too long"));
        assertThat(new Degraded(true, NOON, "too long").healed(LATER, "repaired"))
                .isEqualTo(new Verifying(false, LATER, "repaired"));
    }
}
