package dev.tidemark.worker.verify;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.worker.apply.RowRepair;
import dev.tidemark.worker.store.GenerationStats;

/**
 * Puts rows right that a pass found wrong, some at a time: each shard is handed the facts and does with them what it
 * does with any change.
 */
final class Repairs {
    private static final int BATCH = 100;

    /** Bytes of all rows that wait, from which on they are put right at once. */
    private static final long MOST_BYTES = 1L << 20;

    private final Map<ShardWindow, Map<KeyBytes, RowRepair>> waiting = new LinkedHashMap<>();
    private long waitingBytes;
    private long rows;
    private boolean corrected;

    /** Takes in a row. */
    void add(WrongRow wrong) throws InterruptedException {
        Map<KeyBytes, RowRepair> ofShard = waiting.computeIfAbsent(wrong.shard(), shard -> new LinkedHashMap<>());
        ofShard.merge(wrong.repair().primaryKey(), wrong.repair(), RowRepair::and);
        waitingBytes += bytes(wrong.repair());
        if (ofShard.size() >= BATCH) {
            send(wrong.shard(), ofShard);
        }
        if (waitingBytes >= MOST_BYTES) {
            sendAll();
        }
    }

    private static long bytes(RowRepair repair) {
        return repair.fact().map(fact -> fact.row().bytes().length).orElse(0)
                + repair.seen().values().stream()
                        .flatMap(Set::stream)
                        .mapToLong(KeyBytes::length)
                        .sum();
    }

    /** Has what a shard keeps of a generation in sum corrected by so much. */
    void add(ShardWindow shard, long generation, GenerationStats by) throws InterruptedException {
        corrected |= shard.correct(generation, by);
    }

    /** Whether what a shard keeps in sum was corrected. */
    boolean hasCorrected() {
        return corrected;
    }

    /** Hands over what is left; how many rows were put right altogether. */
    long finish() throws InterruptedException {
        sendAll();
        return rows;
    }

    private void sendAll() throws InterruptedException {
        for (Map.Entry<ShardWindow, Map<KeyBytes, RowRepair>> left : waiting.entrySet()) {
            send(left.getKey(), left.getValue());
        }
        waitingBytes = 0;
    }

    private void send(ShardWindow shard, Map<KeyBytes, RowRepair> repairs) throws InterruptedException {
        if (!repairs.isEmpty()) {
            if (shard.repair(List.copyOf(repairs.values()))) {
                rows += repairs.size();
            }
            repairs.clear();
        }
    }
}
