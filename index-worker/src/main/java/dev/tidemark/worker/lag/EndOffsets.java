package dev.tidemark.worker.lag;

import java.util.Collection;
import java.util.Map;

import dev.tidemark.worker.store.ShardId;

/** Where partitions end. May block for seconds. */
public interface EndOffsets {
    /**
     * The first offset of each partition that is not written yet.
     *
     * @throws RuntimeException when the brokers do not answer in time
     */
    Map<ShardId, Long> endOffsets(Collection<ShardId> shards);
}
