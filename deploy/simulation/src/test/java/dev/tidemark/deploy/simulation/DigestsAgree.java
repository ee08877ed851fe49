package dev.tidemark.deploy.simulation;

import java.util.ArrayList;
import java.util.List;

/** Whenever a shard compared its digest of a generation with what the writer says the table gives, they were equal. */
final class DigestsAgree implements Guarantee {
    @Override
    public List<String> violations(Simulation simulation) {
        List<String> violations = new ArrayList<>();
        for (int partition = 0; partition < simulation.table().partitions(); partition++) {
            int here = partition;
            simulation
                    .worker()
                    .status(partition)
                    .ifPresent(status -> status.digests().forEach((generation, finding) -> {
                        if (!finding.isEqual()) {
                            violations.add(
                                    "generation " + generation + " of partition " + here + " differs: " + finding);
                        }
                    }));
        }
        return violations;
    }
}
