package dev.tidemark.deploy.bench;

import dev.tidemark.worker.apply.Counts;
import dev.tidemark.worker.apply.Passages;
import dev.tidemark.worker.apply.ShardApplier;
import dev.tidemark.worker.store.ShardId;

/** Nobody looks at what is applied. */
final class SilentApplyListener implements ShardApplier.Listener {
    @Override
    public void applied(ShardId shard, Counts counts) {
        // Not counted.
    }

    @Override
    public void visible(ShardId shard, Passages passages) {
        // Not timed.
    }
}
