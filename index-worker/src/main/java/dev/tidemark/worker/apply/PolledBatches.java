package dev.tidemark.worker.apply;

import java.util.Map;

import dev.tidemark.worker.store.ShardId;

/**
 * What one poll of a change topic gave.
 *
 * @param batches the next piece of each partition that has one
 * @param broken partitions that cannot be read from where they should be, with the reason: the topic no longer has the
 *     requested records
 * @param failed partitions that cannot be read at the moment, with the reason
 */
public record PolledBatches(
        Map<ShardId, ChangeBatch> batches, Map<ShardId, String> broken, Map<ShardId, String> failed) {
    public PolledBatches {
        batches = Map.copyOf(batches);
        broken = Map.copyOf(broken);
        failed = Map.copyOf(failed);
    }
}
