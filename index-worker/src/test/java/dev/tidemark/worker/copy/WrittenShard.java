package dev.tidemark.worker.copy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.LongStream;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;
import dev.tidemark.progress.Progress;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.store.EntryScan;
import dev.tidemark.worker.store.GenerationState;
import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.IndexMutation;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.RowState.Standing;
import dev.tidemark.worker.store.ShardBatch;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardOrigin;
import dev.tidemark.worker.store.ShardStore;
import dev.tidemark.worker.store.ShardView;

import static org.assertj.core.api.Assertions.assertThat;

/** A shard in which record n of the topic is row n with one entry. */
public final class WrittenShard {
    public static final ShardId ID = new ShardId("films", 3);
    public static final ShardOrigin ORIGIN = new ShardOrigin("topic-1", "id in 4 partitions");
    public static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private static final long GENERATION = 11;
    private static final int CARRIED = 500;

    private WrittenShard() {}

    /** Applies records. */
    public static void write(ShardStore store, long from, long to) {
        store.addGenerations(List.of(GENERATION));
        for (long record = from; record < to; record++) {
            byte[] carried = new byte[CARRIED];
            new Random(record).nextBytes(carried);
            store.commit(new ShardBatch(
                    List.of(new IndexMutation.PutEntry(GENERATION, key(record), KeyBytes.wrap(carried))),
                    Map.of(key(record), Optional.of(RowState.without(new RowVersion(1, record + 1), Standing.LIVE))),
                    Map.of(),
                    at(record + 1)));
        }
    }

    static ShardCheckpoint at(long offset) {
        return new ShardCheckpoint(
                        offset,
                        OptionalInt.empty(),
                        new Progress(NOON, new RowVersion(1, offset)),
                        NOON,
                        ShardCheckpoint.EMPTY.generations(),
                        offset,
                        0)
                .with(GenerationStatus.begun(GENERATION, "one", new GenerationState.Rebuilding(NOON, "new")));
    }

    /** Fails unless a shard has exactly the records up to its offset, which it returns. */
    public static long requireWhole(ShardStore store, long written) {
        long offset = store.checkpoint().nextOffset();
        assertThat(store.origin()).isEqualTo(ORIGIN);
        List<Optional<RowState>> rows = store.rowStates(
                LongStream.range(0, written).mapToObj(WrittenShard::key).toList());
        for (int row = 0; row < rows.size(); row++) {
            assertThat(rows.get(row).isPresent())
                    .as("row %d at offset %d", row, offset)
                    .isEqualTo(row < offset);
        }
        try (ShardView view = store.view();
                EntryScan scan = view.scan(GENERATION, KeyRange.ALL, Order.ASC)) {
            long entries = 0;
            for (; scan.isValid(); scan.next()) {
                entries++;
            }
            assertThat(entries).isEqualTo(offset);
        }
        return offset;
    }

    private static KeyBytes key(long record) {
        return KeyBytes.wrap("row %08d".formatted(record).getBytes(StandardCharsets.UTF_8));
    }
}
