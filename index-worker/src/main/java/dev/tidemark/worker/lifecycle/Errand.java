package dev.tidemark.worker.lifecycle;

import dev.tidemark.worker.apply.ShardApplier;

/** Something that another thread wants done to a shard, by the thread that applies to it. */
@FunctionalInterface
public interface Errand {
    /** Does it, between two batches of changes. An exception makes the shard be opened again. */
    void run(ShardApplier applier);
}
