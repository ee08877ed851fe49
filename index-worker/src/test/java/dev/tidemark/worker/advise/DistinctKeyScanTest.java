package dev.tidemark.worker.advise;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyWriter;
import dev.tidemark.key.Order;
import dev.tidemark.row.FieldValue;
import dev.tidemark.worker.store.GenerationState;
import dev.tidemark.worker.store.GenerationStats;
import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.IndexMutation;
import dev.tidemark.worker.store.ShardBatch;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardOrigin;
import dev.tidemark.worker.store.ShardStore;
import dev.tidemark.worker.store.ShardView;
import dev.tidemark.worker.testkit.InMemoryShardStores;

import static org.assertj.core.api.Assertions.assertThat;

class DistinctKeyScanTest {
    private static final long GENERATION = 7;
    private static final DistinctKeyScan.Limits LIMITS = new DistinctKeyScan.Limits(100, 4, 40);

    private final InMemoryShardStores stores = new InMemoryShardStores();

    @Test
    void countsTheValuesOfTheFirstKeyPartAndTheirEntries() {
        KeyShape shape = walk(LIMITS, shard(0, "a", 3, "b", 2), shard(1, "b", 1, "c", 1));

        assertThat(shape.entries()).isEqualTo(7);
        assertThat(shape.distinct()).isEqualTo(3);
        assertThat(shape.complete()).isTrue();
        assertThat(shape.heaviest()).containsExactly(weight("a", 3), weight("b", 3), weight("c", 1));
        assertThat(shape.carriedBytes()).isEqualTo(5);
    }

    @Test
    void stopsWhereValuesHaveManyBytes() {
        Object[] values = IntStream.range(0, 2_000)
                .boxed()
                .flatMap(i -> Stream.<Object>of(String.format("%05d", i) + "x".repeat(3_000), 1))
                .toArray();

        KeyShape shape = walk(DistinctKeyScan.Limits.USUAL, shard(0, values));

        assertThat(shape.distinct()).isBetween(500L, 800L);
        assertThat(shape.complete()).isFalse();
    }

    @Test
    void knowsTheHeaviestValueWithoutCountingItsEntries() {
        KeyShape shape = walk(LIMITS, shard(0, "a", 1, "heavy", 1_000, "z", 20));

        assertThat(shape.heaviest()).containsExactly(weight("heavy", 1_000), weight("z", 20), weight("a", 1));
        assertThat(shape.share(shape.heaviest().get(0))).isGreaterThan(0.97);
    }

    @Test
    void tellsLeastNumbersWhereSeveralValuesAreTooManyToCount() {
        KeyShape shape = walk(LIMITS, shard(0, "a", 500, "b", 500));

        assertThat(shape.entries()).isEqualTo(1_000);
        assertThat(shape.heaviest()).containsExactly(weight("a", 24), weight("b", 24));
    }

    @Test
    void stopsAfterSoManyValuesAndSaysSo() {
        KeyShape shape = walk(new DistinctKeyScan.Limits(2, 4, 40), shard(0, "a", 1, "b", 1, "c", 1));

        assertThat(shape.complete()).isFalse();
        assertThat(shape.distinct()).isEqualTo(2);
    }

    @Test
    void anIndexWithoutEntriesHasNoValues() {
        KeyShape shape = walk(LIMITS, shard(0));

        assertThat(shape).isEqualTo(new KeyShape(0, 0, true, List.of(), 0, 0));
    }

    private static KeyShape walk(DistinctKeyScan.Limits limits, ShardView... shards) {
        return DistinctKeyScan.over(List.of(shards), GENERATION, Order.ASC, limits);
    }

    private static KeyShape.Weight weight(String value, long entries) {
        return new KeyShape.Weight(new FieldValue.Text(value), entries);
    }

    /** A shard whose index has so many entries of each value. */
    private ShardView shard(int partition, Object... valuesAndCounts) {
        ShardStore store = stores.open(new ShardId("people", partition), new ShardOrigin("topic", "table"));
        store.addGenerations(List.of(GENERATION));
        List<IndexMutation> puts = new ArrayList<>();
        for (int i = 0; i < valuesAndCounts.length; i += 2) {
            for (int row = 0; row < (int) valuesAndCounts[i + 1]; row++) {
                puts.add(new IndexMutation.PutEntry(
                        GENERATION, key((String) valuesAndCounts[i], row), KeyBytes.wrap(new byte[5])));
            }
        }
        GenerationStats stats = new GenerationStats(
                puts.size(), 0, 0, GenerationStats.NONE.entriesDigest(), GenerationStats.NONE.contentDigest());
        GenerationStatus status = GenerationStatus.begun(
                        GENERATION, "", new GenerationState.Ready(Instant.EPOCH, "test"))
                .with(stats);
        store.commit(new ShardBatch(puts, Map.of(), Map.of(), ShardCheckpoint.EMPTY.with(status)));
        return store.view();
    }

    private static KeyBytes key(String value, int row) {
        return new KeyWriter()
                .append(new FieldValue.Text(value), Order.ASC)
                .append(new FieldValue.Num(BigDecimal.valueOf(row + 1)), Order.ASC)
                .toKey();
    }
}
