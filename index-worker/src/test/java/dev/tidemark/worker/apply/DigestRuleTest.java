package dev.tidemark.worker.apply;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;

import dev.tidemark.change.Heartbeat;
import dev.tidemark.digest.Digest;
import dev.tidemark.progress.Progress;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.store.GenerationState;
import dev.tidemark.worker.store.GenerationStats;
import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.ShardCheckpoint;

import static org.assertj.core.api.Assertions.assertThat;

class DigestRuleTest {
    private static final Instant TIME = Instant.parse("2026-01-01T00:00:00Z");
    private static final Digest HELD = new Digest(7, 8);
    private static final Digest OTHER = new Digest(7, 9);
    private static final SortedMap<Long, DigestFinding> NOTHING = new TreeMap<>();

    @Test
    void equalDigestsAreFoundEqualAsOfTheMark() {
        assertThat(DigestRule.compare(NOTHING, shard(5, ready()), mark(5, 1, HELD)))
                .isEqualTo(Map.of(1L, new DigestFinding(version(5), TIME, 0)));
    }

    @Test
    void aDifferenceIsSureAtTheSecondMarkInARow() {
        SortedMap<Long, DigestFinding> once = DigestRule.compare(NOTHING, shard(5, ready()), mark(5, 1, OTHER));
        SortedMap<Long, DigestFinding> twice = DigestRule.compare(once, shard(6, ready()), mark(6, 1, OTHER));
        SortedMap<Long, DigestFinding> healed = DigestRule.compare(twice, shard(7, ready()), mark(7, 1, HELD));
        SortedMap<Long, DigestFinding> again = DigestRule.compare(healed, shard(8, ready()), mark(8, 1, OTHER));

        assertThat(List.of(once, twice, healed, again))
                .extracting(found -> of(found).isSurelyDifferent())
                .containsExactly(false, true, false, false);
        assertThat(List.of(once, twice, healed, again))
                .extracting(found -> of(found).isEqual())
                .containsExactly(false, false, true, false);
    }

    @Test
    void aMarkThatTheShardIsBeyondSaysNothing() {
        SortedMap<Long, DigestFinding> before = DigestRule.compare(NOTHING, shard(5, ready()), mark(5, 1, HELD));

        assertThat(DigestRule.compare(before, shard(6, ready()), mark(5, 1, OTHER)))
                .isEqualTo(before);
    }

    @Test
    void nothingIsKnownOfAGenerationThatIsBeingBuiltOrThatTheWriterDoesNotKnow() {
        SortedMap<Long, DigestFinding> before = DigestRule.compare(NOTHING, shard(5, ready()), mark(5, 1, HELD));

        assertThat(DigestRule.compare(
                        before, shard(6, new GenerationState.Building(0, 9, 0, TIME, "a test")), mark(6, 1, OTHER)))
                .isEmpty();
        assertThat(DigestRule.compare(before, shard(6, ready()), mark(6, 2, HELD)))
                .isEmpty();
    }

    private static DigestFinding of(SortedMap<Long, DigestFinding> found) {
        return Objects.requireNonNull(found.get(1L));
    }

    private static GenerationState ready() {
        return new GenerationState.Ready(TIME, "a test");
    }

    private static ShardCheckpoint shard(long through, GenerationState state) {
        GenerationStatus held =
                GenerationStatus.begun(1, "definition", state).with(new GenerationStats(1, 1, 0, HELD, Digest.EMPTY));
        return new ShardCheckpoint(
                10,
                OptionalInt.empty(),
                new Progress(TIME, version(through)),
                Instant.MIN,
                new TreeMap<>(Map.of(1L, held)),
                1,
                0);
    }

    private static Heartbeat mark(long frontier, long generation, Digest digest) {
        return new Heartbeat(TIME, version(frontier), new TreeMap<>(Map.of(generation, digest)));
    }

    private static RowVersion version(long sequence) {
        return new RowVersion(1, sequence);
    }
}
