package dev.tidemark.worker.shard;

import dev.tidemark.worker.apply.ShardApplier;

/** Something that another thread wants done to a shard, by the thread that applies to it. */
@FunctionalInterface
public interface ShardTask {
    /** Does it, between two batches of changes. An exception makes the shard be opened again. */
    void run(ShardApplier applier);
}
