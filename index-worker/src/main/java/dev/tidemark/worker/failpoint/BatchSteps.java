package dev.tidemark.worker.failpoint;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import dev.tidemark.runtime.Failpoints;
import dev.tidemark.worker.store.GenerationState;
import dev.tidemark.worker.store.ShardBatch;
import dev.tidemark.worker.store.ShardCheckpoint;

/**
 * The failpoints around the commit of a batch, derived from the checkpoint of the shard before it.
 *
 * @param before failpoints that are reached before the batch is committed
 * @param after failpoints that are reached afterwards
 */
public record BatchSteps(List<WorkerFailpoint> before, List<WorkerFailpoint> after) {

    /** Commits a batch of a shard between its failpoints. */
    public static void commit(Supplier<ShardCheckpoint> held, ShardBatch batch, Runnable commit) {
        if (Failpoints.areOn()) {
            BatchSteps steps = of(held.get(), batch);
            steps.before.forEach(WorkerFailpoint::hit);
            commit.run();
            steps.after.forEach(WorkerFailpoint::hit);
        } else {
            commit.run();
        }
    }

    static BatchSteps of(ShardCheckpoint held, ShardBatch batch) {
        BatchSteps steps = new BatchSteps(new ArrayList<>(), new ArrayList<>());
        ShardCheckpoint next = batch.checkpoint();
        if (next.nextOffset() > held.nextOffset() && !batch.rows().isEmpty()) {
            steps.before.add(WorkerFailpoint.APPLY_BEFORE_BATCH);
            steps.after.add(WorkerFailpoint.APPLY_WRITTEN);
        }
        next.generations()
                .forEach((id, status) -> held.generation(id)
                        .ifPresentOrElse(
                                known -> steps.add(known.phase(), status.phase()),
                                () -> steps.after.add(WorkerFailpoint.BUILD_BEGUN)));
        if (!next.generations().keySet().containsAll(held.generations().keySet())) {
            steps.after.add(WorkerFailpoint.DROP_FORGOTTEN);
        }
        return steps;
    }

    private void add(GenerationState last, GenerationState next) {
        if (last instanceof GenerationState.Building from
                && next instanceof GenerationState.Building to
                && to.copied() > from.copied()) {
            before.add(WorkerFailpoint.COPY_BEFORE_PAGE);
            after.add(WorkerFailpoint.COPY_WRITTEN);
        }
        if (next instanceof GenerationState.Verifying && !(last instanceof GenerationState.Verifying)) {
            after.add(WorkerFailpoint.VERIFY_BEGUN);
        }
        if (next instanceof GenerationState.Ready && !(last instanceof GenerationState.Ready)) {
            before.add(WorkerFailpoint.SWITCH_BEFORE);
            after.add(WorkerFailpoint.SWITCH_DONE);
        }
    }
}
