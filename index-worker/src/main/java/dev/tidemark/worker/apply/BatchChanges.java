package dev.tidemark.worker.apply;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.worker.store.GenerationStats;
import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.IndexMutation;
import dev.tidemark.worker.store.QuarantinedRecord;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.ShardBatch;
import dev.tidemark.worker.store.ShardCheckpoint;

/** What a batch changes, row by row, while it is being put together. */
final class BatchChanges {
    /** With more bytes than these, what there is should be stored before more is added. */
    private static final long MOST_BYTES = 8L << 20;

    /** The key of a mutation is held by it, and once more where the mutation is laid out to be stored. */
    private static final long KEY_COPIES = 2;

    private static final long KEY_OBJECTS = 64;

    private List<IndexMutation> mutations = new ArrayList<>();
    private Map<KeyBytes, Optional<RowState>> rows = new HashMap<>();
    private Map<KeyBytes, Optional<QuarantinedRecord>> quarantine = new HashMap<>();
    private long bytes;
    private final RowPlanner planner;
    private final SortedMap<Long, GenerationStats> tallies = new TreeMap<>();
    private final SortedMap<Long, KeyChanges> keyChanges = new TreeMap<>();
    private long liveRows;
    private long quarantined;

    BatchChanges(ShardCheckpoint before, RowPlanner planner) {
        this.planner = planner;
        before.generations().values().forEach(status -> {
            tallies.put(status.id(), status.tally());
            keyChanges.put(status.id(), new KeyChanges());
        });
        this.liveRows = before.liveRows();
        this.quarantined = before.quarantined();
    }

    /** Takes over the change of one row. */
    void add(KeyBytes key, Optional<RowState> before, RowChange.Applied plan, Optional<QuarantinedRecord> poison) {
        mutations.addAll(plan.mutations());
        bytes += bytes(plan.mutations()) + plan.state().map(BatchChanges::bytes).orElse(0L);
        rows.put(key, plan.state());
        tallies.replaceAll((generation, tally) -> isUntouched(before, plan.state(), generation)
                ? tally
                : tally.plus(part(key, plan.state(), generation)).minus(part(key, before, generation)));
        keyChanges.forEach((generation, counts) -> counts.note(generation, before, plan.state()));
        if (plan.state().filter(row -> KeyChanges.isSampled(row.version())).isPresent()) {
            plan.mutations().forEach(change -> sample(change, key));
        }
        liveRows += live(plan.state()) - live(before);
        boolean wasPoisoned = before.filter(RowState::isPoisoned).isPresent();
        if (poison.isPresent()) {
            quarantine.put(key, poison);
            quarantined += wasPoisoned ? 0 : 1;
        } else if (wasPoisoned) {
            quarantine.put(key, Optional.empty());
            quarantined--;
        }
    }

    /** The changes of entry keys that the batch makes, by generation. */
    Map<Long, KeyChanges> keyChanges() {
        return Collections.unmodifiableMap(keyChanges);
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    /** Whether what there is should be stored before more is added. */
    boolean isLarge() {
        return bytes >= MOST_BYTES;
    }

    /** Returns the changes for storage and clears them; more may be added to the running totals. */
    ShardBatch toBatch(ShardCheckpoint after) {
        ShardBatch batch = new ShardBatch(mutations, rows, quarantine, after);
        mutations = new ArrayList<>();
        rows = new HashMap<>();
        quarantine = new HashMap<>();
        bytes = 0;
        return batch;
    }

    /** A checkpoint with the figures as they are once this is applied. */
    ShardCheckpoint counted(ShardCheckpoint checkpoint) {
        SortedMap<Long, GenerationStatus> held = new TreeMap<>(checkpoint.generations());
        tallies.forEach((generation, tally) -> held.computeIfPresent(generation, (id, status) -> status.with(tally)));
        return new ShardCheckpoint(
                checkpoint.nextOffset(),
                checkpoint.leaderEpoch(),
                checkpoint.progress(),
                checkpoint.lastCaughtUp(),
                held,
                liveRows,
                quarantined);
    }

    /** What is carried is one object for all entries of a row, but it is laid out once for each of them. */
    private static long bytes(List<IndexMutation> mutations) {
        long sum = 0;
        for (IndexMutation change : mutations) {
            sum += KEY_COPIES * (KEY_OBJECTS + change.key().length());
            sum += change instanceof IndexMutation.PutEntry put ? put.carried().length() : 0;
        }
        return sum;
    }

    /** The state of a row has all of its keys, also where the change of the row moves none of them. */
    static long bytes(RowState state) {
        long sum = 0;
        for (RowState.Entries entries : state.entries().values()) {
            for (KeyBytes key : entries.keys()) {
                sum += KEY_OBJECTS + key.length();
            }
        }
        return sum;
    }

    private void sample(IndexMutation change, KeyBytes primaryKey) {
        KeyChanges counts = keyChanges.get(change.generation());
        boolean isEntry = change instanceof IndexMutation.PutEntry || change instanceof IndexMutation.RemoveEntry;
        if (counts != null && isEntry) {
            counts.sample(planner.weighed(change.key(), primaryKey));
        }
    }

    /** Whether a row counts in a generation as it did, which is so with the same version and entries. */
    private static boolean isUntouched(Optional<RowState> before, Optional<RowState> after, long generation) {
        return before.isPresent()
                && after.isPresent()
                && before.get().version().equals(after.get().version())
                && before.get().in(generation).equals(after.get().in(generation));
    }

    private static GenerationStats part(KeyBytes key, Optional<RowState> state, long generation) {
        return state.map(row -> GenerationStats.of(key, row, generation)).orElse(GenerationStats.NONE);
    }

    private static int live(Optional<RowState> state) {
        return state.filter(RowState::isLive).isPresent() ? 1 : 0;
    }
}
