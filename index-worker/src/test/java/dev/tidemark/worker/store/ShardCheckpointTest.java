package dev.tidemark.worker.store;

import java.time.Instant;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;

import dev.tidemark.digest.Digest;
import dev.tidemark.progress.Progress;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.store.GenerationState.Building;
import dev.tidemark.worker.store.GenerationState.Ready;
import dev.tidemark.worker.store.GenerationState.Rebuilding;

import static org.assertj.core.api.Assertions.assertThat;

class ShardCheckpointTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final ShardCheckpoint WHOLE = new ShardCheckpoint(
            8, OptionalInt.of(5), new Progress(NOON, new RowVersion(1, 2)), NOON, new TreeMap<>(), 4, 1);
    private static final Map<Long, Instant> BUILDS = Map.of(2L, NOON);

    private final GenerationStatus ready = GenerationStatus.begun(1, "text", new Ready(NOON, "proven"))
            .with(new GenerationStats(7, 4, 0, Digest.EMPTY, Digest.EMPTY));
    private final GenerationStatus building =
            GenerationStatus.begun(2, "text", new Building(10, 30, 0, NOON, "wanted"));

    @Test
    void answersForAProvenGenerationOnceItWasWhole() {
        assertThat(WHOLE.with(ready).serves(1)).isTrue();
        assertThat(WHOLE.with(building).serves(2)).isFalse();
        assertThat(WHOLE.serves(1)).isFalse();
        assertThat(ShardCheckpoint.EMPTY.with(ready).serves(1)).isFalse();
    }

    @Test
    void isRestoringUntilItWasWholeAndEachOfItsGenerationsIs() {
        GenerationStatus lost = building.in(new Rebuilding(NOON, "damaged"));
        assertThat(ShardCheckpoint.EMPTY.isRestoring()).isTrue();
        assertThat(ShardCheckpoint.EMPTY.isRestoring(1)).isTrue();
        assertThat(WHOLE.isRestoring()).isFalse();
        assertThat(WHOLE.with(ready).with(building).isRestoring()).isFalse();
        assertThat(WHOLE.with(ready).with(lost).isRestoring()).isTrue();
        assertThat(WHOLE.with(ready).with(lost).isRestoring(1)).isFalse();
        assertThat(WHOLE.with(ready).with(lost).isRestoring(2)).isTrue();
    }

    @Test
    void countsTheEntriesOfTheGenerationsThatItHolds() {
        assertThat(WHOLE.with(ready).entries(1)).isEqualTo(7);
        assertThat(WHOLE.with(ready).entries(2)).isZero();
        assertThat(WHOLE.with(ready).without(1)).isEqualTo(WHOLE);
    }

    @Test
    void copyingGoesOnWhereItHasComeTo() {
        ShardCheckpoint held = WHOLE.with(ready).with(building);

        assertThat(held.copied(BUILDS, 10, 20)).isEqualTo(WHOLE.with(ready).with(inCopy(20)));
        assertThat(held.copied(BUILDS, 5, 20)).isEqualTo(WHOLE.with(ready).with(inCopy(20)));
        assertThat(held.copied(BUILDS, 11, 20))
                .as("from 10 on it lacks a record")
                .isEqualTo(held);
    }

    @Test
    void aBuildThatBeganAfterAPieceWasReadHasNotCopiedIt() {
        ShardCheckpoint held = WHOLE.with(ready).with(building);

        assertThat(held.copied(Map.of(7L, NOON), 10, 20)).isEqualTo(held);
        assertThat(held.copied(Map.of(2L, NOON.minusMillis(1)), 10, 20))
                .as("read for an earlier pass")
                .isEqualTo(held);
    }

    @Test
    void goesBackToAnEarlierPlaceWithWhatItHolds() {
        ShardCheckpoint back = WHOLE.with(ready).backAt(ShardCheckpoint.EMPTY);

        assertThat(back)
                .isEqualTo(new ShardCheckpoint(
                        0,
                        OptionalInt.empty(),
                        Progress.UNKNOWN,
                        NOON,
                        WHOLE.with(ready).generations(),
                        4,
                        1));
        assertThat(back.caughtUpAt(Instant.MIN).withQuarantined(0).lastCaughtUp())
                .isEqualTo(Instant.MIN);
        assertThat(back.withQuarantined(9).quarantined()).isEqualTo(9);
        assertThat(back.withQuarantined(1)).isEqualTo(back);
    }

    private GenerationStatus inCopy(long copied) {
        return building.in(new Building(copied, 30, 0, NOON, "wanted"));
    }
}
