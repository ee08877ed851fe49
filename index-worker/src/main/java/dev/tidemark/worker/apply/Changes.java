package dev.tidemark.worker.apply;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.worker.store.IndexMutation;
import dev.tidemark.worker.store.QuarantinedRecord;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.ShardBatch;
import dev.tidemark.worker.store.ShardCheckpoint;

/** What a batch changes, row by row, while it is being put together. */
final class Changes {
    private final List<IndexMutation> mutations = new ArrayList<>();
    private final Map<KeyBytes, Optional<RowState>> rows = new HashMap<>();
    private final Map<KeyBytes, Optional<QuarantinedRecord>> quarantine = new HashMap<>();
    private final long[] entries;
    private long quarantined;

    Changes(ShardCheckpoint before) {
        this.entries = before.entries().stream().mapToLong(Long::longValue).toArray();
        this.quarantined = before.quarantined();
    }

    /** Takes over the change of one row. */
    void add(KeyBytes key, Optional<RowState> before, Plan.Applied plan, Optional<QuarantinedRecord> poison) {
        mutations.addAll(plan.mutations());
        rows.put(key, plan.state());
        for (int i = 0; i < entries.length; i++) {
            entries[i] += count(plan.state(), i) - count(before, i);
        }
        boolean wasPoisoned = before.filter(RowState::isPoisoned).isPresent();
        if (poison.isPresent()) {
            quarantine.put(key, poison);
            quarantined += wasPoisoned ? 0 : 1;
        } else if (wasPoisoned) {
            quarantine.put(key, Optional.empty());
            quarantined--;
        }
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    ShardBatch toBatch(ShardCheckpoint after) {
        return new ShardBatch(mutations, rows, quarantine, after);
    }

    /** Entries in each index once this is applied. */
    List<Long> entryCounts() {
        return LongStream.of(entries).boxed().toList();
    }

    /** Quarantined records once this is applied. */
    long quarantined() {
        return quarantined;
    }

    private static int count(Optional<RowState> state, int index) {
        return state.map(known -> known.indexes().get(index).keys().size()).orElse(0);
    }
}
