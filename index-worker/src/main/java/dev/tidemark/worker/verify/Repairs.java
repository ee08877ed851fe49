package dev.tidemark.worker.verify;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.worker.apply.RowRepair;
import dev.tidemark.worker.store.GenerationStats;

/**
 * Counts the rows that a pass compares, and puts those right that it found wrong, some at a time: each shard receives
 * the facts and does with them what it does with any change.
 */
final class Repairs implements VerifyPass.Listener {
    private static final int BATCH = 100;

    /** Bytes of all rows that wait, from which on they are put right at once. */
    private static final long MOST_BYTES = 1L << 20;

    private final VerifyTotals totals;
    private final LongConsumer rowsPassed;
    private final boolean wanted;
    private final Map<ShardWindow, Map<KeyBytes, RowRepair>> waiting = new LinkedHashMap<>();
    private long waitingBytes;
    private long rows;
    private boolean corrected;

    /**
     * Nothing was found yet.
     *
     * @param passed receives the number of rows compared since its last call
     * @param wanted whether what is wrong is put right, and not only counted
     */
    Repairs(VerifyTotals totals, LongConsumer passed, boolean wanted) {
        this.totals = totals;
        this.rowsPassed = passed;
        this.wanted = wanted;
    }

    @Override
    public void passed(long more) {
        totals.passed(more);
        rowsPassed.accept(more);
    }

    @Override
    public void differs(WrongRow wrong) throws InterruptedException {
        if (!wanted) {
            return;
        }
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

    @Override
    public void miscounts(ShardWindow shard, long generation, GenerationStats by) throws InterruptedException {
        corrected |= wanted && shard.correct(generation, by);
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
