package dev.tidemark.worker.killpoint;

import dev.tidemark.runtime.KillPoints;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardOrigin;
import dev.tidemark.worker.store.ShardStore;
import dev.tidemark.worker.store.ShardStores;

/** Shards with places. */
record KillableShardStores(ShardStores stores, KillPoints points) implements ShardStores {
    @Override
    public ShardStore open(ShardId id, ShardOrigin origin) {
        ShardStore store = stores.open(id, origin);
        points.reach(WorkerPoint.ASSIGN_OPENED.label());
        return new KillableShardStore(store, points);
    }

    @Override
    public void drop(ShardId id) {
        stores.drop(id);
    }
}
