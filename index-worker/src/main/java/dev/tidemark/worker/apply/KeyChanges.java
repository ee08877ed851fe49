package dev.tidemark.worker.apply;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.RowState.Entries;

/**
 * How often updates changed the keys of rows in one generation of an index, in one batch, and a sample of the keys
 * whose entries changed. Belongs to the applying thread.
 */
public final class KeyChanges {
    /** Longer keys are cut to this number of bytes. */
    public static final int MOST_KEY_BYTES = 128;

    /** One change of 2 to the power of this number is in the sample. */
    private static final int SAMPLE_BITS = 4;

    /** The maximum number of sampled keys of a batch; the others are not counted. */
    private static final int MOST_SAMPLED = 256;

    /** 2^64 divided by the golden ratio, as in Knuth's multiplicative hashing. */
    private static final long GOLDEN = 0x9E37_79B9_7F4A_7C15L;

    private final List<KeyBytes> sampled = new ArrayList<>();
    private long updates;
    private long moved;

    /** Rows that were there before and after a change, and for which the generation was derived both times. */
    public long updates() {
        return updates;
    }

    /** Those of them that have other keys in it than before. */
    public long moved() {
        return moved;
    }

    /** Keys of the entries that sampled changes put or removed. */
    public List<KeyBytes> sampled() {
        return Collections.unmodifiableList(sampled);
    }

    /** Whether the change that gave a row a version is in the sample: by a hash, which no period of writes fits. */
    static boolean isSampled(RowVersion version) {
        long mixed = version.sequence() * GOLDEN;
        mixed = (mixed ^ (mixed >>> Integer.SIZE)) * GOLDEN;
        return mixed >>> (Long.SIZE - SAMPLE_BITS) == 0;
    }

    /** Adds the key of an entry that changed to the sample, as {@link RowPlanner#weighed} gives it. */
    void sample(KeyBytes key) {
        if (sampled.size() < MOST_SAMPLED) {
            sampled.add(KeyBytes.wrap(Arrays.copyOf(key.array(), Math.min(key.length(), MOST_KEY_BYTES))));
        }
    }

    /** Counts the change of one row. The same version again is no change. */
    void note(long generation, Optional<RowState> before, Optional<RowState> after) {
        if (before.isEmpty()
                || after.isEmpty()
                || before.get().version().equals(after.get().version())) {
            return;
        }
        Entries then = before.get().entries().get(generation);
        Entries now = after.get().entries().get(generation);
        if (then != null && now != null && before.get().isLive() && after.get().isLive()) {
            updates++;
            moved += then.keys().equals(now.keys()) ? 0 : 1;
        }
    }
}
