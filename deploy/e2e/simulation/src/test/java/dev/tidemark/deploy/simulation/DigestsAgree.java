package dev.tidemark.deploy.simulation;

import java.util.ArrayList;
import java.util.List;

import dev.tidemark.worker.apply.ShardStatus;
import dev.tidemark.worker.store.GenerationState;
import dev.tidemark.worker.store.GenerationStatus;

/** Whenever a shard compared its digest of a generation with what the writer says the table gives, they were equal. */
final class DigestsAgree implements Guarantee {
    @Override
    public List<String> violations(Watched watched) {
        List<String> violations = new ArrayList<>();
        for (int partition = 0; partition < watched.table().partitions(); partition++) {
            int here = partition;
            watched.applied(partition)
                    .ifPresent(status -> status.digests().forEach((generation, finding) -> {
                        if (!finding.isEqual() && !isExcused(status, generation)) {
                            violations.add(
                                    "generation " + generation + " of partition " + here + " differs: " + finding);
                        }
                    }));
        }
        return violations;
    }

    /**
     * Such as one that is built while the beginning of its topic is gone, which is soon made anew. What was found of
     * one that is read anew is from before, and of one that is gone nothing is asked any more.
     */
    private static boolean isExcused(ShardStatus status, long generation) {
        GenerationStatus held = status.checkpoint().generations().get(generation);
        return held == null
                || held.phase() instanceof GenerationState.Degraded
                || !held.phase().isWhole();
    }
}
