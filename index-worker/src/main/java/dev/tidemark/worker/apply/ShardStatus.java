package dev.tidemark.worker.apply;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.tidemark.catalog.Generation;
import dev.tidemark.worker.store.ShardCheckpoint;

/**
 * The status of a shard after its last step. It is never ahead of what can be read from the shard.
 *
 * @param checkpoint the progress in memory; the stored one may be a few seconds older
 * @param restoring whether the shard has not yet passed the end that the log had when it was opened
 * @param digests the comparison of the digest with that of the table, by generation; without the generations of which
 *     it is unknown
 * @param refusals the refused records
 */
public record ShardStatus(
        ShardCheckpoint checkpoint, boolean restoring, SortedMap<Long, DigestFinding> digests, Refusals refusals) {
    public ShardStatus {
        digests = Collections.unmodifiableSortedMap(new TreeMap<>(digests));
    }

    /** A shard of which no digest has been compared. */
    public ShardStatus(ShardCheckpoint checkpoint, boolean restoring) {
        this(checkpoint, restoring, new TreeMap<>(), Refusals.NONE);
    }

    /**
     * Whether the shard has read everything, and no record said yet that it is whole: of a derived table, the writer
     * has not stated all rows yet.
     */
    public boolean isBeingFilled() {
        return !restoring && !checkpoint.progress().isWhole();
    }

    /**
     * Whether a generation is restored, so that it answers again once that is done. One of a derived table that the
     * writer fills for the first time has nothing to be restored.
     */
    public boolean restores(Generation generation) {
        return checkpoint.isRestoring(generation.id()) && !(generation.isDerived() && isBeingFilled());
    }

    /** The same with another checkpoint. */
    public ShardStatus with(ShardCheckpoint other) {
        return new ShardStatus(other, restoring, digests, refusals);
    }

    /** The same with other findings. */
    ShardStatus with(SortedMap<Long, DigestFinding> findings) {
        return new ShardStatus(checkpoint, restoring, findings, refusals);
    }
}
