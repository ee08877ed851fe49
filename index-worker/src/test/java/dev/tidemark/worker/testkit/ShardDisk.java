package dev.tidemark.worker.testkit;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.worker.store.IndexMutation;
import dev.tidemark.worker.store.QuarantinedRecord;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.ShardBatch;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardOrigin;

/** What an in-memory shard has on its disk, with a way back commit by commit. */
final class ShardDisk {
    private final ShardOrigin origin;
    private final NavigableMap<KeyBytes, RowState> rows = new TreeMap<>();
    private final NavigableMap<KeyBytes, QuarantinedRecord> quarantine = new TreeMap<>();
    private final List<NavigableMap<KeyBytes, KeyBytes>> indexes = new ArrayList<>();
    private final Deque<List<Runnable>> undo = new ArrayDeque<>();
    private ShardCheckpoint checkpoint;

    ShardDisk(ShardOrigin origin, int indexes) {
        this.origin = origin;
        this.checkpoint = ShardCheckpoint.empty(indexes);
        for (int i = 0; i < indexes; i++) {
            this.indexes.add(new TreeMap<>());
        }
    }

    ShardOrigin origin() {
        return origin;
    }

    ShardCheckpoint checkpoint() {
        return checkpoint;
    }

    NavigableMap<KeyBytes, RowState> rows() {
        return rows;
    }

    NavigableMap<KeyBytes, QuarantinedRecord> quarantine() {
        return quarantine;
    }

    List<NavigableMap<KeyBytes, KeyBytes>> indexes() {
        return indexes;
    }

    void commit(ShardBatch batch) {
        List<Runnable> back = new ArrayList<>();
        for (IndexMutation mutation : batch.mutations()) {
            KeyBytes carried = mutation instanceof IndexMutation.PutEntry put ? put.carried() : null;
            set(indexes.get(mutation.index()), mutation.key(), carried, back);
        }
        batch.rows().forEach((key, state) -> set(rows, key, state.orElse(null), back));
        batch.quarantine().forEach((key, record) -> set(quarantine, key, record.orElse(null), back));
        ShardCheckpoint before = checkpoint;
        back.add(() -> checkpoint = before);
        checkpoint = batch.checkpoint();
        undo.push(back);
    }

    /** Goes back by so many commits, or to the beginning where there were fewer. */
    void lose(int commits) {
        for (int i = 0; i < commits && !undo.isEmpty(); i++) {
            undo.pop().forEach(Runnable::run);
        }
    }

    private static <V> void set(Map<KeyBytes, V> table, KeyBytes key, @Nullable V value, List<Runnable> back) {
        V before = value == null ? table.remove(key) : table.put(key, value);
        back.add(() -> restore(table, key, before));
    }

    private static <V> void restore(Map<KeyBytes, V> table, KeyBytes key, @Nullable V before) {
        if (before == null) {
            table.remove(key);
        } else {
            table.put(key, before);
        }
    }
}
