package dev.tidemark.worker.verify;

import java.util.Set;

import dev.tidemark.catalog.Generation;
import dev.tidemark.digest.Digest;
import dev.tidemark.digest.EntryDigest;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;
import dev.tidemark.worker.store.EntryScan;
import dev.tidemark.worker.store.GenerationStats;
import dev.tidemark.worker.store.ShardView;

/**
 * Adds up the entries of one generation in one shard as they are, and suspects a sample of them.
 *
 * @param sampled receives the entries in the sample
 * @param salt selects the sample; another number selects another sample
 */
record EntryScanDigest(
        ShardWindow shard, ShardView view, Generation generation, Recheck sampled, Pacer patience, long salt) {
    /** One entry out of this number is rechecked although it looks right. */
    private static final int SAMPLE = 100;

    private static final int WORKED_EVERY = 4_096;

    /** Walks to the end; whether the entries are those that the shard has counted. */
    boolean run() throws CannotVerifyException, InterruptedException {
        GenerationStats kept = view.checkpoint()
                .generation(generation.id())
                .orElseThrow(() -> new CannotVerifyException("generation " + generation.id() + " is gone"))
                .tally();
        EntryOwner owner = new EntryOwner(generation.definition());
        Digest content = Digest.EMPTY;
        long entries = 0;
        try (EntryScan scan = view.scan(generation.id(), KeyRange.ALL, Order.ASC)) {
            for (; scan.isValid(); scan.next()) {
                KeyBytes key = scan.key();
                Digest digest = EntryDigest.ofContent(key, EntryDigest.fingerprint(scan.carried()));
                content = content.plus(digest);
                if (Math.floorMod(digest.low() + salt, SAMPLE) == 0) {
                    sampled.add(new Recheck.Row(shard, owner.of(key)), generation.id(), Set.of(key));
                }
                if (++entries % WORKED_EVERY == 0) {
                    patience.worked();
                }
            }
        }
        return entries == kept.entries() && content.equals(kept.contentDigest());
    }
}
