package dev.tidemark.worker.rocks;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.tidemark.cache.RowCacheMemory;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.progress.Progress;
import dev.tidemark.rocks.RocksResources;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.store.IndexMutation;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.RowState.Entries;
import dev.tidemark.worker.store.RowState.Standing;
import dev.tidemark.worker.store.ShardBatch;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardOrigin;
import dev.tidemark.worker.store.ShardStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Tag("slow")
class RememberedRowsTest {
    private static final ShardOrigin ORIGIN = new ShardOrigin("topic", "rows");
    /** A mutation of a generation that no shard has, so that its batch fails. */
    private static final IndexMutation NOWHERE = new IndexMutation.RemoveEntry(99, key(1));

    private static final int STEPS = 400;
    private static final int KEYS = 3_000;

    /** More than is kept of a row. */
    private static final int TOO_LARGE = 1 << 17;

    private final RocksResources resources = new RocksResources(8 << 20, 1 << 20);

    @TempDir
    private Path directory = Path.of("");

    @AfterEach
    void close() {
        resources.close();
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "2, 60000", "3, 300000", "4, 700000", "5, 67108864"})
    void whateverFitsInItAShardSaysOfRowsWhatWasWrittenLast(long seed, long bytes) {
        Random random = new Random(seed);
        RowCacheMemory room = new RowCacheMemory(bytes);
        RocksShardStores stores = new RocksShardStores(directory, resources, room, new RowCacheMemory(0));
        List<ShardId> ids = List.of(new ShardId("rows", 0), new ShardId("rows", 1));
        Map<ShardId, Map<KeyBytes, RowState>> expected = new HashMap<>();
        Map<ShardId, ShardStore> open = new HashMap<>();
        for (int step = 0; step < STEPS; step++) {
            ShardId id = ids.get(random.nextInt(ids.size()));
            Map<KeyBytes, RowState> rows = expected.computeIfAbsent(id, shard -> new HashMap<>());
            ShardStore store = open.computeIfAbsent(id, shard -> stores.open(shard, ORIGIN));
            List<KeyBytes> asked = keys(random);
            assertThat(store.rowStates(asked))
                    .as("seed %d, step %d, %s", seed, step, id)
                    .isEqualTo(asked.stream()
                            .map(key -> Optional.ofNullable(rows.get(key)))
                            .toList());
            Map<KeyBytes, Optional<RowState>> written = written(random, keys(random), step);
            int fate = random.nextInt(40);
            if (fate == 0) {
                store.close();
                open.remove(id);
            } else if (fate == 1) {
                ShardBatch wrong = new ShardBatch(List.of(NOWHERE), written, Map.of(), checkpoint(step));
                assertThatThrownBy(() -> store.commit(wrong)).isInstanceOf(IllegalArgumentException.class);
            } else {
                store.commit(new ShardBatch(List.of(), written, Map.of(), checkpoint(step)));
                written.forEach(
                        (key, state) -> state.ifPresentOrElse(known -> rows.put(key, known), () -> rows.remove(key)));
            }
        }
        open.values().forEach(ShardStore::close);
        assertThat(room.take(bytes)).as("everything was given back").isTrue();
    }

    private static List<KeyBytes> keys(Random random) {
        List<KeyBytes> keys = new ArrayList<>();
        int from = random.nextInt(KEYS);
        for (int i = 0; i < 100; i++) {
            keys.add(key((from + random.nextInt(300)) % KEYS));
        }
        return keys;
    }

    private static Map<KeyBytes, Optional<RowState>> written(Random random, List<KeyBytes> keys, int step) {
        Map<KeyBytes, Optional<RowState>> rows = new HashMap<>();
        for (KeyBytes key : keys) {
            RowVersion version = new RowVersion(1, step + 1);
            boolean large = random.nextInt(2_000) == 0;
            Entries entries = new Entries(
                    List.of(KeyBytes.wrap(new byte[large ? TOO_LARGE : random.nextInt(200)])),
                    random.nextLong(),
                    Optional.empty());
            rows.put(
                    key,
                    random.nextInt(10) == 0
                            ? Optional.empty()
                            : Optional.of(new RowState(version, Standing.LIVE, Map.of(1L, entries))));
        }
        return rows;
    }

    private static ShardCheckpoint checkpoint(long nextOffset) {
        return new ShardCheckpoint(
                nextOffset, OptionalInt.empty(), Progress.UNKNOWN, Instant.MIN, new TreeMap<>(), 0, 0);
    }

    private static KeyBytes key(int row) {
        return KeyBytes.wrap(("row " + row).getBytes(StandardCharsets.UTF_8));
    }
}
