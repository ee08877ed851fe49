package dev.tidemark.worker.life;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.digest.Digest;
import dev.tidemark.worker.life.Life.State;
import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.Phase;
import dev.tidemark.worker.store.Tally;

import static org.assertj.core.api.Assertions.assertThat;

class LifeRuleTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final Phase.Ready READY = new Phase.Ready(NOON, "proven");
    private static final Phase.Building BUILDING = new Phase.Building(1, 9, 0, NOON.plusSeconds(5), "wanted");

    @Test
    void isReadySinceItsLastShardIs() {
        Life life = life(READY, new Phase.Ready(NOON.plusSeconds(9), "proven too"));

        assertThat(life).isEqualTo(new Life(State.READY, Optional.of(NOON.plusSeconds(9)), "proven too", true));
    }

    @Test
    void theShardThatIsFurthestFromReadyDecides() {
        assertThat(life(READY, BUILDING).state()).isEqualTo(State.BUILDING);
        assertThat(life(READY, BUILDING).serves()).isFalse();
        assertThat(life(BUILDING, BUILDING.paused(NOON, "asked")).state()).isEqualTo(State.PAUSED);
        assertThat(life(READY, BUILDING.complete(NOON)).state()).isEqualTo(State.VERIFYING);
        assertThat(life(BUILDING, READY.degraded(NOON, "12 rows")))
                .isEqualTo(new Life(State.DEGRADED, Optional.of(NOON), "12 rows", false));
        assertThat(life(new Phase.Rebuilding(NOON, "new"), READY))
                .isEqualTo(new Life(State.REBUILDING, Optional.of(NOON), "new", false));
        assertThat(life(new Phase.Rebuilding(NOON, "new").complete(NOON), READY).state())
                .isEqualTo(State.REBUILDING);
        assertThat(life(new Phase.Dropping(NOON, "gone"), READY).state()).isEqualTo(State.DROPPING);
    }

    @Test
    void isBeingBuiltWhileAShardHasNotBegun() {
        List<Optional<GenerationStatus>> shards = new ArrayList<>(statuses(READY));
        shards.add(Optional.empty());

        assertThat(LifeRule.of(shards, 0).state()).isEqualTo(State.BUILDING);
    }

    @Test
    void isUnknownWhereNothingTellsOfIt() {
        assertThat(LifeRule.of(List.of(), 0).state()).isEqualTo(State.UNKNOWN);
        assertThat(LifeRule.of(statuses(READY), 1).cause()).isEqualTo("1 of its shards here are being opened");
    }

    @Test
    void rowsThatItCannotHoldAreCountedOverAllShards() {
        List<Optional<GenerationStatus>> shards = new ArrayList<>();
        for (long refused = 0; refused < 3; refused++) {
            Phase phase = refused == 0 ? READY : READY.refusing(NOON, "it cannot hold some");
            shards.add(Optional.of(GenerationStatus.begun(1, "text", phase)
                    .with(new Tally(7, 9, refused, Digest.EMPTY, Digest.EMPTY))));
        }

        assertThat(LifeRule.of(shards, 0).cause()).isEqualTo("the index cannot hold 3 rows of its table");
    }

    private static Life life(Phase... phases) {
        return LifeRule.of(statuses(phases), 0);
    }

    private static List<Optional<GenerationStatus>> statuses(Phase... phases) {
        List<Optional<GenerationStatus>> statuses = new ArrayList<>();
        for (Phase phase : phases) {
            statuses.add(Optional.of(GenerationStatus.begun(1, "text", phase)));
        }
        return statuses;
    }
}
