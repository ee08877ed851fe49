package dev.tidemark.worker.failpoint;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.runtime.Failpoints;
import dev.tidemark.worker.store.Durability;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.ShardBatch;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardOrigin;
import dev.tidemark.worker.store.ShardStore;
import dev.tidemark.worker.store.ShardView;

/** A shard with failpoints around all operations that change it. */
record FailpointShardStore(ShardStore store, Failpoints points) implements ShardStore {
    @Override
    public ShardOrigin origin() {
        return store.origin();
    }

    @Override
    public ShardCheckpoint checkpoint() {
        return store.checkpoint();
    }

    @Override
    public List<Optional<RowState>> rowStates(List<KeyBytes> primaryKeys) {
        return store.rowStates(primaryKeys);
    }

    @Override
    public void commit(ShardBatch batch, Durability durability) {
        BatchSteps steps = BatchSteps.of(store.checkpoint(), batch);
        steps.before().forEach(this::reach);
        store.commit(batch, durability);
        steps.after().forEach(this::reach);
    }

    @Override
    public void addGenerations(Collection<Long> generations) {
        store.addGenerations(generations);
        reach(WorkerFailpoint.BUILD_ROOM);
    }

    @Override
    public void dropGeneration(long generation) {
        store.dropGeneration(generation);
        reach(WorkerFailpoint.DROP_DONE);
    }

    @Override
    public ShardView view() {
        return store.view();
    }

    @Override
    public void close() {
        store.close();
    }

    private void reach(WorkerFailpoint point) {
        points.reach(point.label());
    }
}
