package dev.tidemark.worker.killpoint;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.Phase;
import dev.tidemark.worker.store.ShardBatch;
import dev.tidemark.worker.store.ShardCheckpoint;

/**
 * What a batch is a step of, told from the shard before it.
 *
 * @param before places that are reached before it is written
 * @param after places that are reached once it is
 */
record BatchSteps(List<WorkerPoint> before, List<WorkerPoint> after) {

    static BatchSteps of(ShardCheckpoint held, ShardBatch batch) {
        List<WorkerPoint> before = new ArrayList<>();
        List<WorkerPoint> after = new ArrayList<>();
        if (batch.checkpoint().nextOffset() > held.nextOffset() && !batch.rows().isEmpty()) {
            before.add(WorkerPoint.APPLY_BEFORE_BATCH);
            after.add(WorkerPoint.APPLY_WRITTEN);
        }
        for (GenerationStatus next : batch.checkpoint().generations().values()) {
            add(held.generation(next.id()), next.phase(), before, after);
        }
        if (!batch.checkpoint()
                .generations()
                .keySet()
                .containsAll(held.generations().keySet())) {
            after.add(WorkerPoint.DROP_FORGOTTEN);
        }
        return new BatchSteps(before, after);
    }

    private static void add(
            Optional<GenerationStatus> known, Phase next, List<WorkerPoint> before, List<WorkerPoint> after) {
        if (known.isEmpty()) {
            after.add(WorkerPoint.BUILD_BEGUN);
            return;
        }
        Phase last = known.get().phase();
        if (last instanceof Phase.Building from && next instanceof Phase.Building to && to.copied() > from.copied()) {
            before.add(WorkerPoint.COPY_BEFORE_PAGE);
            after.add(WorkerPoint.COPY_WRITTEN);
        }
        if (next instanceof Phase.Verifying && !(last instanceof Phase.Verifying)) {
            after.add(WorkerPoint.VERIFY_BEGUN);
        }
        if (next instanceof Phase.Ready && !(last instanceof Phase.Ready)) {
            before.add(WorkerPoint.SWITCH_BEFORE);
            after.add(WorkerPoint.SWITCH_DONE);
        }
    }
}
