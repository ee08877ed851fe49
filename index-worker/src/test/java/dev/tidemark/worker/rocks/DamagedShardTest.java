package dev.tidemark.worker.rocks;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.tidemark.checksum.ChecksumScanTarget;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.progress.Progress;
import dev.tidemark.rocks.RocksResources;
import dev.tidemark.row.RowVersion;
import dev.tidemark.testkit.FileDamage;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.ShardBatch;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardDamagedException;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardOrigin;
import dev.tidemark.worker.store.ShardStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Real damage to the files of a closed shard. A lost end does no harm, because the position in the topic goes back with
 * it.
 */
class DamagedShardTest {
    private static final ShardId ID = new ShardId("films", 3);
    private static final ShardOrigin ORIGIN = new ShardOrigin("topic", "id in 4 partitions");
    private static final long BATCHES = 400;

    private final RocksResources resources = new RocksResources(8 << 20, 1 << 20);

    @TempDir
    private Path directory = Path.of("");

    @AfterEach
    void close() {
        resources.close();
    }

    @ParameterizedTest
    @EnumSource(FileDamage.class)
    void aDamagedWriteAheadLogIsRefusedOrTakesThePositionBackWithTheRows(FileDamage damage) {
        write();

        damage.ofLargest(directory.resolve(ID.toString()), ".log");

        try (ShardStore store = stores().open(ID, ORIGIN)) {
            long position = store.checkpoint().nextOffset();
            assertThat(position).as("batches left").isLessThan(BATCHES);
            List<Optional<RowState>> rows = store.rowStates(
                    LongStream.range(0, BATCHES).mapToObj(DamagedShardTest::key).toList());
            for (int row = 0; row < rows.size(); row++) {
                assertThat(rows.get(row).isPresent())
                        .as("row %d at position %d", row, position)
                        .isEqualTo(row < position);
            }
        } catch (ShardDamagedException e) {
            assertThat(e.shard()).contains(ID);
        }
    }

    @Test
    void aFlippedByteInATableIsFoundByLookingThroughItAndByReadingItAndNamesTheShard() {
        write();
        stores().open(ID, ORIGIN).close();

        FileDamage.FLIPPED.ofLargest(directory.resolve(ID.toString()), ".sst");

        RocksShardStores stores = stores();
        Map<ShardId, String> told = new TreeMap<>();
        try (ShardStore store = stores.open(ID, ORIGIN)) {
            for (ChecksumScanTarget target : stores.targets(told::put)) {
                target.files().keySet().forEach(file -> target.look(file).ifPresent(target::damaged));
            }
            assertThat(told).containsOnlyKeys(ID);
            assertThatThrownBy(() -> store.rowStates(LongStream.range(0, BATCHES)
                            .mapToObj(DamagedShardTest::key)
                            .toList()))
                    .isInstanceOfSatisfying(
                            ShardDamagedException.class,
                            damage -> assertThat(damage.shard()).contains(ID));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = FileDamage.class,
            names = {"TRUNCATED", "MISSING"})
    void aTableThatIsNotWholeIsDamageAtTheOpening(FileDamage damage) {
        write();
        stores().open(ID, ORIGIN).close();

        damage.ofLargest(directory.resolve(ID.toString()), ".sst");

        assertThatThrownBy(() -> stores().open(ID, ORIGIN)).isInstanceOf(ShardDamagedException.class);
    }

    private void write() {
        try (ShardStore store = stores().open(ID, ORIGIN)) {
            for (long offset = 0; offset < BATCHES; offset++) {
                store.commit(new ShardBatch(
                        List.of(),
                        Map.of(
                                key(offset),
                                Optional.of(
                                        RowState.without(new RowVersion(1, offset + 1), RowState.Standing.DELETED))),
                        Map.of(),
                        checkpoint(offset + 1)));
            }
        }
    }

    private static ShardCheckpoint checkpoint(long nextOffset) {
        return new ShardCheckpoint(
                nextOffset, OptionalInt.empty(), Progress.UNKNOWN, Instant.MIN, new TreeMap<>(), 0, 0);
    }

    private static KeyBytes key(long row) {
        // Long, and of no use to compression, so that keys take most of a file.
        byte[] bytes = new byte[64];
        new Random(row).nextBytes(bytes);
        return KeyBytes.wrap(bytes);
    }

    private RocksShardStores stores() {
        return new RocksShardStores(directory, resources, 1 << 20, 1 << 20);
    }
}
