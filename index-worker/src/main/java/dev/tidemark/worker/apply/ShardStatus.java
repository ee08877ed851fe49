package dev.tidemark.worker.apply;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.tidemark.worker.store.ShardCheckpoint;

/**
 * How a shard is doing, as of its last step. Never ahead of what can be read from the shard.
 *
 * @param checkpoint how far it is, in memory; what is on disk may be a few seconds older
 * @param restoring whether it has not yet passed the end that the log had when it was opened
 * @param digests by generation, what comparing its digest with that of the table came to; nothing is in it for a generation
 *     of which that is not known
 * @param refusals what was read and not believed
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

    /** The same with another checkpoint. */
    public ShardStatus with(ShardCheckpoint other) {
        return new ShardStatus(other, restoring, digests, refusals);
    }

    /** The same with other findings. */
    ShardStatus with(SortedMap<Long, DigestFinding> findings) {
        return new ShardStatus(checkpoint, restoring, findings, refusals);
    }
}
