package dev.tidemark.worker.verify;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

import dev.tidemark.digest.EntryDigest;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.worker.store.GenerationStats;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.ShardView;

/** One shard during the first look: a view of it, and what its row states add up to. */
final class ShardComparison implements AutoCloseable {
    private final ShardWindow window;
    private final ShardView view;
    private final Map<Long, Sum> sums = new TreeMap<>();

    /** What the row states say of one generation. */
    static final class Sum {
        /** By row; as a walk over the entries should give it. */
        final DigestBuckets buckets;

        /** What the shard should keep of them. */
        GenerationStats stats = GenerationStats.NONE;

        private Sum(DigestBuckets buckets) {
            this.buckets = buckets;
        }

        private void add(KeyBytes primaryKey, RowState state, long generation) {
            RowState.Entries stated = state.in(generation).orElse(RowState.Entries.NONE);
            for (KeyBytes key : stated.keys()) {
                buckets.add(primaryKey, EntryDigest.ofContent(key.concat(primaryKey), stated.fingerprint()));
            }
            stats = stats.plus(GenerationStats.of(primaryKey, state, generation));
        }
    }

    private ShardComparison(ShardWindow window, ShardView view) {
        this.window = window;
        this.view = view;
    }

    /**
     * A view of now.
     *
     * @param name of the shard, for messages
     * @param room for the sums
     * @throws CannotVerifyException when the shard is not open, or does not hold one of the generations, or there is no
     *     room
     */
    static ShardComparison open(ShardWindow window, String name, Collection<Long> generations, DigestMemory room)
            throws CannotVerifyException {
        ShardComparison look = new ShardComparison(window, window.open());
        try {
            for (long generation : generations) {
                if (look.view.checkpoint().generation(generation).isEmpty()) {
                    throw new CannotVerifyException(
                            "shard " + name + " does not hold generation " + generation + " yet");
                }
                look.sums.put(
                        generation, new Sum(room.buckets(look.view.checkpoint().liveRows())));
            }
            return look;
        } catch (CannotVerifyException | RuntimeException e) {
            look.close();
            throw e;
        }
    }

    ShardWindow window() {
        return window;
    }

    ShardView view() {
        return view;
    }

    Sum sum(long generation) {
        Sum sum = sums.get(generation);
        if (sum == null) {
            throw new IllegalArgumentException("Expected one of " + sums.keySet() + ", but got " + generation);
        }
        return sum;
    }

    /** What the shard keeps of a generation in the view. */
    GenerationStats kept(long generation) {
        return view.checkpoint().generation(generation).orElseThrow().tally();
    }

    /** Takes in a row state. */
    void add(KeyBytes primaryKey, RowState state) {
        sums.forEach((generation, sum) -> sum.add(primaryKey, state, generation));
    }

    @Override
    public void close() {
        view.close();
    }
}
