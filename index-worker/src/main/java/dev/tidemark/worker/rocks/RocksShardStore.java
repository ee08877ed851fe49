package dev.tidemark.worker.rocks;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Queue;

import org.jspecify.annotations.Nullable;

import dev.tidemark.cache.RowCache;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.rocks.RocksBatch;
import dev.tidemark.rocks.RocksDatabase;
import dev.tidemark.worker.failpoint.BatchSteps;
import dev.tidemark.worker.failpoint.WorkerFailpoint;
import dev.tidemark.worker.store.Durability;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.ShardBatch;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardDamagedException;
import dev.tidemark.worker.store.ShardOrigin;
import dev.tidemark.worker.store.ShardStore;
import dev.tidemark.worker.store.ShardView;

/** Stores one shard in one separate database. */
record RocksShardStore(
        RocksDatabase database,
        ShardTables tables,
        StoreFailures failures,
        RowCache cache,
        RowVersions versions,
        SharedViews views,
        Queue<ShardWrites> idle,
        Runnable onClose,
        Runnable onClosed)
        implements ShardStore {
    @Override
    public ShardOrigin origin() {
        byte[] stored = failures.named(() -> database.get(tables.meta, ShardTables.ORIGIN_KEY));
        if (stored == null) {
            throw new ShardDamagedException("Expected the origin of the shard at " + database.path());
        }
        return CheckpointCodec.readOrigin(stored);
    }

    @Override
    public ShardCheckpoint checkpoint() {
        return failures.named(() -> checkpoint(database, tables));
    }

    @Override
    public List<Optional<RowState>> rowStates(List<KeyBytes> primaryKeys) {
        return failures.named(() -> {
            List<Optional<RowState>> states = new ArrayList<>(primaryKeys.size());
            List<byte[]> unknown = new ArrayList<>();
            List<Integer> places = new ArrayList<>();
            for (KeyBytes key : primaryKeys) {
                byte[] kept = cache.get(key.array());
                if (kept == null) {
                    unknown.add(key.array());
                    places.add(states.size());
                }
                states.add(state(kept));
            }
            List<byte @Nullable []> found = unknown.isEmpty() ? List.of() : database.multiGet(tables.rows, unknown);
            for (int i = 0; i < found.size(); i++) {
                states.set(places.get(i), state(found.get(i)));
            }
            return states;
        });
    }

    private static Optional<RowState> state(byte @Nullable [] stored) {
        return stored == null || stored.length == 0 ? Optional.empty() : Optional.of(RowStateCodec.read(stored));
    }

    @Override
    public void commit(ShardBatch changes, Durability durability) {
        BatchSteps.commit(this::checkpoint, changes, () -> write(changes, durability));
    }

    private void write(ShardBatch changes, Durability durability) {
        failures.run(() -> {
            ShardWrites writes = Optional.ofNullable(idle.poll()).orElseGet(ShardWrites::new);
            try (RocksBatch batch = writes.lay(changes, tables)) {
                versions.begin(writes.rowKeys());
                database.write(batch, durability == Durability.POWER_CUT);
                writes.passTo(cache);
            } catch (RuntimeException e) {
                // What of it was written is not known.
                cache.forget();
                throw e;
            } finally {
                versions.end();
                views.renew();
                tables.written();
                idle.add(writes);
            }
        });
    }

    @Override
    public ShardView view() {
        return failures.named(() -> new RocksShardView(views, versions, tables, failures));
    }

    @Override
    public void close() {
        onClose.run();
        views.close();
        versions.close();
        cache.close();
        database.close();
        onClosed.run();
    }

    @Override
    public void addGenerations(Collection<Long> generations) {
        failures.run(() -> tables.add(generations));
        WorkerFailpoint.BUILD_ROOM.hit();
    }

    @Override
    public void dropGeneration(long generation) {
        failures.run(() -> tables.drop(generation));
        WorkerFailpoint.DROP_DONE.hit();
    }

    static ShardCheckpoint checkpoint(RocksDatabase database, ShardTables tables) {
        return checkpoint(database.get(tables.meta, ShardTables.CHECKPOINT_KEY));
    }

    static ShardCheckpoint checkpoint(byte @Nullable [] stored) {
        return stored == null ? ShardCheckpoint.EMPTY : CheckpointCodec.read(stored);
    }
}
