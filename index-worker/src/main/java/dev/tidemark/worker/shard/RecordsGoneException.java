package dev.tidemark.worker.shard;

import dev.tidemark.change.ChangeTopic;
import dev.tidemark.worker.store.ShardId;

/**
 * Records that a shard has not read are no longer in its partition. Rows without a later record are then missing from
 * the topic. An index that continued with the remaining records would be wrong without a sign of it.
 */
final class RecordsGoneException extends RuntimeException {
    private static final long serialVersionUID = 1;

    RecordsGoneException(ShardId shard, long from, long start) {
        super("records " + from + " to " + (start - 1) + " of " + shard
                + " are gone, and it has not read them; the writer recreates topic "
                + ChangeTopic.nameFor(shard.table())
                + " and publishes every row again when it notices, or when you delete that topic");
    }
}
