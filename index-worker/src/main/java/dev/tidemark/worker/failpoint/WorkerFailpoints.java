package dev.tidemark.worker.failpoint;

import java.util.Optional;
import java.util.function.Supplier;

import dev.tidemark.runtime.Failpoints;
import dev.tidemark.worker.consume.ChangeSource;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardOrigin;
import dev.tidemark.worker.store.ShardStore;
import dev.tidemark.worker.store.ShardStores;

/**
 * Wires the ports of a process: with failpoints, or unchanged if the process was started without a failpoint.
 *
 * @param points empty in production
 */
public record WorkerFailpoints(Optional<Failpoints> points) {

    public ShardStores in(ShardStores stores) {
        return points.<ShardStores>map(asked -> new FailpointShardStores(stores, asked))
                .orElse(stores);
    }

    public Supplier<ChangeSource> in(Supplier<ChangeSource> sources) {
        return points.<Supplier<ChangeSource>>map(asked -> () -> new FailpointSource(sources.get(), asked))
                .orElse(sources);
    }

    /** Shards with failpoints. */
    private record FailpointShardStores(ShardStores stores, Failpoints points) implements ShardStores {
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
}
