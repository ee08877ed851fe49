package dev.tidemark.worker.testkit;

import dev.tidemark.worker.apply.ApplyCounts;
import dev.tidemark.worker.apply.ShardApplier;
import dev.tidemark.worker.apply.StageLatencies;
import dev.tidemark.worker.store.ShardId;

/** Does not care. */
public final class SilentListener implements ShardApplier.Listener {
    @Override
    public void applied(ShardId shard, ApplyCounts counts) {
        // Not of interest.
    }

    @Override
    public void visible(ShardId shard, StageLatencies latencies) {
        // Not of interest.
    }
}
