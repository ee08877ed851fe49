package dev.tidemark.worker.advise;

import java.util.List;

import dev.tidemark.key.KeyBytes;

/**
 * Which keys take most changes of a generation in a shard, from a sample. Takes less than 8 KiB. The apply thread of
 * the shard adds; any thread reads what it knew after the last batch.
 */
final class KeySketch {
    /** A key with more than one of this number of changes is never missed. */
    static final int ROOM = 16;

    /** After this number of sampled changes all counts halve. */
    private static final long FADES_AFTER = 1 << 14;

    private final SpaceSaving keys = new SpaceSaving(ROOM);
    private long sampled;
    private volatile HeavyKeys known = HeavyKeys.NONE;

    /** Adds the keys of sampled changes. Apply thread. */
    void add(List<KeyBytes> some) {
        some.forEach(keys::add);
        sampled += some.size();
        if (sampled >= FADES_AFTER) {
            keys.halve();
            sampled /= 2;
        }
        known = HeavyKeys.of(sampled, keys.top(ROOM));
    }

    HeavyKeys known() {
        return known;
    }
}
