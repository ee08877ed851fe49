package dev.tidemark.worker.testkit;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.worker.store.Durability;
import dev.tidemark.worker.store.IndexMutation;
import dev.tidemark.worker.store.QuarantinedRecord;
import dev.tidemark.worker.store.RefusedRow;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.ShardBatch;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardDamagedException;
import dev.tidemark.worker.store.ShardOrigin;

/** What an in-memory shard has on its disk, with a way back commit by commit. */
final class ShardDisk {
    private final ShardOrigin origin;
    private final NavigableMap<KeyBytes, RowState> rows = new TreeMap<>();
    private final NavigableMap<KeyBytes, QuarantinedRecord> quarantine = new TreeMap<>();
    private final Map<Long, NavigableMap<KeyBytes, KeyBytes>> generations = new HashMap<>();
    private final NavigableMap<Long, NavigableMap<KeyBytes, RefusedRow>> refused = new TreeMap<>();
    private final Deque<List<Runnable>> undo = new ArrayDeque<>();
    private ShardCheckpoint checkpoint;
    private long version;

    ShardDisk(ShardOrigin origin) {
        this.origin = origin;
        this.checkpoint = ShardCheckpoint.EMPTY;
    }

    /** What is there now, on a disk of its own. */
    ShardDisk copy() {
        ShardDisk copy = new ShardDisk(origin);
        copy.rows.putAll(rows);
        copy.quarantine.putAll(quarantine);
        generations.forEach((id, entries) -> copy.generations.put(id, new TreeMap<>(entries)));
        refused.forEach((id, keys) -> copy.refused.put(id, new TreeMap<>(keys)));
        copy.checkpoint = checkpoint;
        return copy;
    }

    ShardOrigin origin() {
        return origin;
    }

    ShardCheckpoint checkpoint() {
        return checkpoint;
    }

    /** Grows whenever anything changes. */
    long version() {
        return version;
    }

    NavigableMap<KeyBytes, RowState> rows() {
        return rows;
    }

    NavigableMap<KeyBytes, QuarantinedRecord> quarantine() {
        return quarantine;
    }

    Map<Long, NavigableMap<KeyBytes, KeyBytes>> generations() {
        return generations;
    }

    /** The rows that a generation cannot hold. */
    NavigableMap<KeyBytes, RefusedRow> refused(long generation) {
        return refused.getOrDefault(generation, new TreeMap<>());
    }

    /** Makes room for a generation; no power cut takes that back. */
    void add(long generation) {
        version++;
        generations.putIfAbsent(generation, new TreeMap<>());
        refused.putIfAbsent(generation, new TreeMap<>());
    }

    /** Removes a generation; no power cut takes that back. */
    void drop(long generation) {
        version++;
        generations.remove(generation);
        refused.remove(generation);
    }

    /** Completes what an interrupted step left. */
    void tidy() {
        version++;
        if (!generations.keySet().containsAll(checkpoint.generations().keySet())) {
            throw new ShardDamagedException("Expected the generations "
                    + checkpoint.generations().keySet() + ", but there are " + generations.keySet());
        }
        generations.keySet().retainAll(checkpoint.generations().keySet());
        refused.keySet().retainAll(checkpoint.generations().keySet());
    }

    void commit(ShardBatch batch, Durability durability) {
        version++;
        List<Runnable> back = new ArrayList<>();
        for (IndexMutation mutation : batch.mutations()) {
            apply(mutation, back);
        }
        batch.rows().forEach((key, state) -> set(rows, key, state.orElse(null), back));
        batch.quarantine().forEach((key, record) -> set(quarantine, key, record.orElse(null), back));
        ShardCheckpoint before = checkpoint;
        back.add(() -> checkpoint = before);
        checkpoint = batch.checkpoint();
        undo.push(back);
        if (durability == Durability.POWER_CUT) {
            undo.clear();
        }
    }

    private void apply(IndexMutation mutation, List<Runnable> back) {
        NavigableMap<KeyBytes, KeyBytes> entries = generations.get(mutation.generation());
        NavigableMap<KeyBytes, RefusedRow> rows = refused.get(mutation.generation());
        if (entries == null || rows == null) {
            throw new IllegalArgumentException(
                    "Expected one of the generations " + generations.keySet() + ", but got " + mutation.generation());
        }
        if (mutation instanceof IndexMutation.PutEntry put) {
            set(entries, put.key(), put.carried(), back);
        } else if (mutation instanceof IndexMutation.RemoveEntry gone) {
            set(entries, gone.key(), null, back);
        } else if (mutation instanceof IndexMutation.Refuse no) {
            set(rows, no.key(), new RefusedRow(no.key(), no.version(), no.reason()), back);
        } else {
            set(rows, mutation.key(), null, back);
        }
    }

    /** Goes back by so many commits, or to the beginning where there were fewer. */
    void lose(int commits) {
        version++;
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
