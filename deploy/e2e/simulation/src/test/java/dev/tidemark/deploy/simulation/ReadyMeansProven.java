package dev.tidemark.deploy.simulation;

import java.util.ArrayList;
import java.util.List;

import dev.tidemark.worker.store.GenerationState;
import dev.tidemark.worker.store.GenerationStatus;

/** A generation that is ready was compared in this very shard, and found equal. */
final class ReadyMeansProven implements Guarantee {
    @Override
    public List<String> violations(Watched watched) {
        List<String> violations = new ArrayList<>();
        for (int partition = 0; partition < watched.table().partitions(); partition++) {
            var status = watched.status(partition);
            if (status.isPresent()) {
                for (GenerationStatus held :
                        status.get().checkpoint().generations().values()) {
                    if (held.phase() instanceof GenerationState.Ready && !watched.isProven(partition, held.id())) {
                        violations.add("partition " + partition + " has generation " + held.id()
                                + " ready, which nobody has compared");
                    }
                }
            }
        }
        return violations;
    }
}
