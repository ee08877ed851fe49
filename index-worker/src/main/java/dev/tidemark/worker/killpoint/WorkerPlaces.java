package dev.tidemark.worker.killpoint;

import java.util.Optional;
import java.util.function.Supplier;

import dev.tidemark.runtime.KillPoints;
import dev.tidemark.worker.consume.ChangeSource;
import dev.tidemark.worker.store.ShardStores;

/**
 * What a process wires: each port with its places, or as it is where the process was asked for no point.
 *
 * @param points empty in production
 */
public record WorkerPlaces(Optional<KillPoints> points) {

    public ShardStores in(ShardStores stores) {
        return points.<ShardStores>map(asked -> new KillableShardStores(stores, asked))
                .orElse(stores);
    }

    public Supplier<ChangeSource> in(Supplier<ChangeSource> sources) {
        return points.<Supplier<ChangeSource>>map(asked -> () -> new KillableSource(sources.get(), asked))
                .orElse(sources);
    }
}
