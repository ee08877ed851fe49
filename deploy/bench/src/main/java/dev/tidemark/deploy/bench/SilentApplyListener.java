package dev.tidemark.deploy.bench;

import dev.tidemark.worker.apply.ApplyCounts;
import dev.tidemark.worker.apply.ShardApplier;
import dev.tidemark.worker.apply.StageLatencies;
import dev.tidemark.worker.store.ShardId;

/** Ignores what is applied. */
final class SilentApplyListener implements ShardApplier.Listener {
    @Override
    public void applied(ShardId shard, ApplyCounts counts) {
        // Not counted.
    }

    @Override
    public void visible(ShardId shard, StageLatencies latencies) {
        // Not timed.
    }
}
