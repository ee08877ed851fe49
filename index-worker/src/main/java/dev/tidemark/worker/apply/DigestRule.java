package dev.tidemark.worker.apply;

import java.util.SortedMap;
import java.util.TreeMap;

import dev.tidemark.change.Heartbeat;
import dev.tidemark.digest.Digest;
import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.ShardCheckpoint;

/**
 * The pure function from the status of a shard and a heartbeat with digests to whether shard and table are equal. It
 * has no finding for a generation that lacks rows because it is being built, nor for one whose digest the writer does
 * not know yet.
 */
final class DigestRule {
    private DigestRule() {}

    /**
     * What is known after a mark, by generation.
     *
     * @param before what was known before it
     * @param checkpoint of the shard when everything up to the mark has been applied
     */
    static SortedMap<Long, DigestFinding> compare(
            SortedMap<Long, DigestFinding> before, ShardCheckpoint checkpoint, Heartbeat mark) {
        if (!checkpoint.progress().through().equals(mark.frontier())) {
            // The shard has something newer, from the reading before this one: this mark is not about what it holds.
            return before;
        }
        SortedMap<Long, DigestFinding> after = new TreeMap<>();
        for (GenerationStatus held : checkpoint.generations().values()) {
            Digest wanted = mark.digests().get(held.id());
            if (wanted != null && held.phase().isWhole()) {
                DigestFinding known = before.get(held.id());
                int earlier = known == null ? 0 : known.differing();
                boolean equal = wanted.equals(held.tally().entriesDigest());
                after.put(held.id(), new DigestFinding(mark.frontier(), mark.completeUpTo(), equal ? 0 : earlier + 1));
            }
        }
        return after;
    }
}
