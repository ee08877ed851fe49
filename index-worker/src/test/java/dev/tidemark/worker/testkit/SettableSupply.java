package dev.tidemark.worker.testkit;

import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BooleanSupplier;

import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.worker.shard.CopyProgress;
import dev.tidemark.worker.shard.ShardSupply;
import dev.tidemark.worker.store.ShardId;

/** Copies that never become whole; a test says how far each is, and looks at the worker meanwhile. */
public final class SettableSupply implements ShardSupply {
    private final ConcurrentMap<ShardId, CopyProgress> progress = new ConcurrentHashMap<>();
    private Runnable meanwhile = () -> {};

    /** From now on a copy of a shard is looked for, and is as far as that while it is. */
    public void copying(ShardId shard, CopyProgress far, Runnable look) {
        progress.put(shard, far);
        meanwhile = look;
    }

    @Override
    public boolean isWorth(long records) {
        return !progress.isEmpty();
    }

    @Override
    public void fetch(Need need, BooleanSupplier isWanted) {
        meanwhile.run();
        progress.remove(need.shard());
    }

    @Override
    public Optional<CopyProgress> progress(ShardId shard) {
        return Optional.ofNullable(progress.get(shard));
    }

    @Override
    public long takenBytes(String table) {
        return progress.entrySet().stream()
                .filter(copy -> DerivedTable.base(copy.getKey().table()).equals(table))
                .mapToLong(copy -> copy.getValue().copiedBytes())
                .sum();
    }
}
