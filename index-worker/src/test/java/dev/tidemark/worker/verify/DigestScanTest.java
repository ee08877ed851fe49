package dev.tidemark.worker.verify;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.Generation;
import dev.tidemark.facts.StreamedFact;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.worker.store.IndexMutation;
import dev.tidemark.worker.store.ShardView;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DigestScanTest {
    private final VerifyFixture fixture = new VerifyFixture(1);
    private final Generation generation = fixture.generation("by_town");
    private final VerifyShardFixture shard = fixture.shards().get(0);
    private final Set<KeyBytes> judged = new HashSet<>();

    @Test
    void suspectsAboutOneEntryInAHundredAndOthersAtAnotherTime() throws Exception {
        fill(4_096);

        assertThat(walk(generation, 1)).isTrue();
        Set<KeyBytes> first = Set.copyOf(judged);
        judged.clear();
        assertThat(walk(generation, 2)).isTrue();

        assertThat(first).hasSizeBetween(10, 100);
        assertThat(judged).hasSizeBetween(10, 100).doesNotContainAnyElementsOf(first);
        assertThat(fixture.works()).as("each entry").isEqualTo(2 * 4_096);
    }

    @Test
    void entriesThatAreNotTheOnesCountedAreFound() throws Exception {
        fill(2);
        KeyBytes entry = shard.entries(generation.id()).get(0).getKey();
        shard.tamper(new IndexMutation.PutEntry(generation.id(), entry, KeyBytes.wrap(new byte[] {1})));
        assertThat(walk(generation, 1)).as("as many, but others").isFalse();

        shard.tamper(new IndexMutation.RemoveEntry(generation.id(), entry));
        assertThat(walk(generation, 1)).isFalse();
    }

    @Test
    void aGenerationThatTheShardDoesNotHoldIsNoVerdict() {
        Generation gone = new Generation(99, generation.definition());

        assertThatThrownBy(() -> walk(gone, 1))
                .isInstanceOf(CannotVerifyException.class)
                .hasMessage("generation 99 is gone");
    }

    private boolean walk(Generation walked, long salt) throws Exception {
        Recheck sampled = new Recheck(
                fixture.table(),
                new RowShards(fixture.table(), List.of(generation)),
                fixture,
                1 << 20,
                fixture,
                new Outcomes());
        boolean equal;
        try (ShardView view = shard.open()) {
            equal = DigestComparison.scan(shard, view, walked, sampled, fixture, salt);
        }
        sampled.look();
        return equal;
    }

    /** Puts so many rows into the shard. */
    private void fill(int rows) {
        IntStream.range(0, 100_000)
                .filter(id -> fixture.table().partitionOf(fixture.key(id)) == shard.partition())
                .limit(rows)
                .forEach(id -> fixture.put(id, "Redmond", "Ada"));
        fixture.settle();
    }

    private final class Outcomes implements Recheck.Outcome {
        @Override
        public void judged(
                Recheck.Row row, RowObservation sight, Optional<StreamedFact> fact, List<Difference> differences) {
            judged.add(row.primaryKey());
        }

        @Override
        public void undecided(Recheck.Row row, long generation) {
            throw new AssertionError("every shard has come far enough");
        }
    }
}
