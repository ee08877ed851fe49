package dev.tidemark.worker.verify;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

import dev.tidemark.digest.Digest;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.ShardView;
import dev.tidemark.worker.store.Tally;

/** One shard during the first look: a view of it, and what its row states add up to. */
final class ShardLook implements AutoCloseable {
    private final ShardWindow window;
    private final ShardView view;
    private final Map<Long, Sum> sums = new TreeMap<>();

    /** What the row states say of one generation. */
    static final class Sum {
        private final Buckets buckets;
        private Digest entries = Digest.EMPTY;

        private Sum(long rows) {
            this.buckets = new Buckets(rows);
        }

        /** By row; as a walk over the entries should give it. */
        Buckets buckets() {
            return buckets;
        }

        /** Of the entries with the versions of their rows. */
        Digest entries() {
            return entries;
        }
    }

    private ShardLook(ShardWindow window, ShardView view, Collection<Long> generations) {
        this.window = window;
        this.view = view;
        long rows = view.checkpoint().liveRows();
        generations.forEach(generation -> sums.put(generation, new Sum(rows)));
    }

    /**
     * A view of now.
     *
     * @param name of the shard, for messages
     * @throws CannotVerifyException when the shard is not open, or does not hold one of the generations
     */
    static ShardLook open(ShardWindow window, String name, Collection<Long> generations) throws CannotVerifyException {
        ShardLook look = new ShardLook(window, window.open(), generations);
        for (long generation : generations) {
            if (look.view.checkpoint().generation(generation).isEmpty()) {
                look.close();
                throw new CannotVerifyException("shard " + name + " does not hold generation " + generation + " yet");
            }
        }
        return look;
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
    Tally kept(long generation) {
        return view.checkpoint().generation(generation).orElseThrow().tally();
    }

    /** Takes in a row state. */
    void add(KeyBytes primaryKey, RowState state) {
        sums.forEach((generation, sum) -> {
            Tally part = Tally.of(primaryKey, state, generation);
            sum.buckets.add(primaryKey, part.contentDigest());
            sum.entries = sum.entries.plus(part.entriesDigest());
        });
    }

    @Override
    public void close() {
        view.close();
    }
}
