package dev.tidemark.worker.apply;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;

import dev.tidemark.change.WireRecord;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.progress.Progress;
import dev.tidemark.worker.store.GenerationState;
import dev.tidemark.worker.store.GenerationStats;
import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.IndexMutation;
import dev.tidemark.worker.store.QuarantinedRecord;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.RowState.Entries;
import dev.tidemark.worker.store.RowState.Standing;
import dev.tidemark.worker.store.ShardBatch;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.Tables;

import static org.assertj.core.api.Assertions.assertThat;

class BatchChangesTest {
    private static final long GENERATION = 4;
    private static final KeyBytes KEY = KeyBytes.wrap(new byte[] {1});

    /** A key of so many bytes fills a batch by itself: it counts twice in a mutation, and once in the state. */
    private static final int LARGE = (8 << 20) / 3 + 1 - 64;

    private final ShardCheckpoint before = new ShardCheckpoint(
            10,
            OptionalInt.of(2),
            Progress.UNKNOWN,
            Instant.MIN,
            new TreeMap<>(Map.of(
                    GENERATION,
                    GenerationStatus.begun(
                            GENERATION, "definition", new GenerationState.Ready(Instant.EPOCH, "a test")))),
            5,
            3);
    private final BatchChanges changes = new BatchChanges(before, new RowPlanner(Tables.people(), 0, List.of()));

    @Test
    void isLargeWhenItsKeysTakeMegabytesAndNotAnyMoreOnceTheyAreGivenUp() {
        assertThat(changes.isEmpty()).isTrue();
        put(new byte[LARGE - 1]);
        assertThat(changes.isLarge()).isFalse();
        assertThat(changes.toBatch(before).mutations()).hasSize(1);

        put(new byte[LARGE]);
        assertThat(changes.isLarge()).isTrue();
        assertThat(changes.isEmpty()).isFalse();

        changes.toBatch(before);
        assertThat(changes.isLarge()).isFalse();
        assertThat(changes.isEmpty()).isTrue();
    }

    @Test
    void countsWhatAGenerationHoldsOfTheRowsAsTheyAreNow() {
        RowState first = live(1, 7);
        RowState second = live(2, 7);
        RowState third = live(3, 8);

        change(Optional.empty(), Optional.of(first));
        assertThat(tally()).isEqualTo(GenerationStats.of(KEY, first, GENERATION));
        change(Optional.of(first), Optional.of(second));
        assertThat(tally()).as("another version").isEqualTo(GenerationStats.of(KEY, second, GENERATION));
        change(Optional.of(second), Optional.of(new RowState(second.version(), Standing.LIVE, Map.of())));
        assertThat(tally()).as("the same version without entries").isEqualTo(GenerationStats.NONE);
        change(Optional.empty(), Optional.of(third));
        change(Optional.of(third), Optional.of(third));
        assertThat(tally()).isEqualTo(GenerationStats.of(KEY, third, GENERATION));
        change(Optional.of(third), Optional.empty());
        assertThat(tally()).isEqualTo(GenerationStats.NONE);
    }

    @Test
    void countsRowsThatAreThere() {
        RowState deleted = RowState.without(ChangeLog.version(3), Standing.DELETED);

        change(Optional.empty(), Optional.of(live(1, 7)));
        assertThat(changes.counted(before).liveRows()).isEqualTo(6);
        change(Optional.of(live(1, 7)), Optional.of(live(2, 7)));
        assertThat(changes.counted(before).liveRows()).isEqualTo(6);
        change(Optional.of(live(2, 7)), Optional.of(deleted));
        assertThat(changes.counted(before).liveRows()).isEqualTo(5);
        change(Optional.of(deleted), Optional.empty());
        assertThat(changes.counted(before).liveRows()).isEqualTo(5);
    }

    @Test
    void countsRecordsInQuarantineOnce() {
        RowState poisoned = RowState.without(ChangeLog.version(2), Standing.POISONED_AT);
        Optional<QuarantinedRecord> record =
                Optional.of(new QuarantinedRecord(1, new WireRecord(KEY, null, Map.of()), "a test", Instant.EPOCH));

        changes.add(KEY, Optional.of(live(1, 7)), to(Optional.of(poisoned)), record);
        assertThat(changes.counted(before).quarantined()).isEqualTo(4);
        changes.add(KEY, Optional.of(poisoned), to(Optional.of(poisoned)), record);
        assertThat(changes.counted(before).quarantined()).isEqualTo(4);
        ShardBatch batch = changes.toBatch(before);
        assertThat(batch.quarantine()).isEqualTo(Map.of(KEY, record));
        changes.add(KEY, Optional.of(poisoned), to(Optional.of(live(3, 7))), Optional.empty());
        assertThat(changes.counted(before).quarantined()).isEqualTo(3);
        assertThat(changes.toBatch(before).quarantine()).isEqualTo(Map.of(KEY, Optional.empty()));
        change(Optional.of(live(3, 7)), Optional.of(live(4, 7)));
        assertThat(changes.counted(before).quarantined()).isEqualTo(3);
        assertThat(changes.toBatch(before).quarantine()).isEmpty();
    }

    @Test
    void leavesWhatItDoesNotCountAsItIs() {
        ShardCheckpoint other = before.without(GENERATION)
                .with(GenerationStatus.begun(9, "x", new GenerationState.Ready(Instant.MAX, "")));

        assertThat(changes.counted(other)).isEqualTo(other);
    }

    private void put(byte[] key) {
        Entries entries = new Entries(List.of(KeyBytes.wrap(key)), 0, Optional.empty());
        RowChange.Applied plan = new RowChange.Applied(
                Optional.of(new RowState(ChangeLog.version(1), Standing.LIVE, Map.of(GENERATION, entries))),
                List.of(new IndexMutation.PutEntry(GENERATION, KeyBytes.wrap(key), KeyBytes.EMPTY)));
        changes.add(KEY, Optional.empty(), plan, Optional.empty());
    }

    private void change(Optional<RowState> from, Optional<RowState> to) {
        changes.add(KEY, from, to(to), Optional.empty());
    }

    private static RowChange.Applied to(Optional<RowState> state) {
        return new RowChange.Applied(state, List.of());
    }

    private GenerationStats tally() {
        return changes.counted(before).generation(GENERATION).orElseThrow().tally();
    }

    /** A row with one entry. */
    private static RowState live(long version, int key) {
        Entries entries = new Entries(List.of(KeyBytes.wrap(new byte[] {(byte) key})), 0, Optional.empty());
        return new RowState(ChangeLog.version(version), Standing.LIVE, Map.of(GENERATION, entries));
    }
}
