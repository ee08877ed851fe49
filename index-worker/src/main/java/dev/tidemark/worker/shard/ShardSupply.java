package dev.tidemark.worker.shard;

import java.util.Optional;
import java.util.function.BooleanSupplier;

import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardOrigin;

/** Brings copies of shards from where there are some. */
public interface ShardSupply {
    /**
     * A shard that is not open and lacks much.
     *
     * @param origin what it must be built from
     * @param topic its partition, as it was a moment ago
     * @param nextOffset the first offset that what is there has not applied; 0 where nothing can be used
     */
    record Need(ShardId shard, ShardOrigin origin, PartitionInfoSource.PartitionInfo topic, long nextOffset) {}

    /** Whether a copy may cost less than to read that many records. */
    boolean isWorth(long records);

    /**
     * Puts a copy in the place of what is there of a shard, or leaves all as it is and logs why. May take hours.
     *
     * @param isWanted whether to go on
     */
    void fetch(Need need, BooleanSupplier isWanted);

    /** How far the copy of a shard is; empty while none comes. For any thread. */
    Optional<CopyProgress> progress(ShardId shard);

    /** Bytes of shards of a table, and of those derived from it, that have come since the start. For any thread. */
    long takenBytes(String table);
}
