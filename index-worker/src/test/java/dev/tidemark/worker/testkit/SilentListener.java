package dev.tidemark.worker.testkit;

import dev.tidemark.worker.apply.Counts;
import dev.tidemark.worker.apply.Passages;
import dev.tidemark.worker.apply.ShardApplier;
import dev.tidemark.worker.store.ShardId;

/** Does not care. */
public final class SilentListener implements ShardApplier.Listener {
    @Override
    public void applied(ShardId shard, Counts counts) {
        // Not of interest.
    }

    @Override
    public void visible(ShardId shard, Passages passages) {
        // Not of interest.
    }
}
