package dev.tidemark.worker.failpoint;

import dev.tidemark.runtime.Failpoints;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardOrigin;
import dev.tidemark.worker.store.ShardStore;
import dev.tidemark.worker.store.ShardStores;

/** Shards with places. */
record FailpointShardStores(ShardStores stores, Failpoints points) implements ShardStores {
    @Override
    public ShardStore open(ShardId id, ShardOrigin origin) {
        ShardStore store = stores.open(id, origin);
        points.reach(WorkerFailpoint.ASSIGN_OPENED.label());
        return new FailpointShardStore(store, points);
    }

    @Override
    public void drop(ShardId id) {
        stores.drop(id);
    }
}
