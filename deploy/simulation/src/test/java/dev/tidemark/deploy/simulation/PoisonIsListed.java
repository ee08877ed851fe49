package dev.tidemark.deploy.simulation;

import java.util.ArrayList;
import java.util.List;

import dev.tidemark.worker.store.ShardView;

/** Whatever a shard has passed in its log and could not apply, it has kept and lists, unless the log is no longer the one it read. */
final class PoisonIsListed implements Guarantee {
    @Override
    public List<String> violations(Simulation simulation) {
        List<String> violations = new ArrayList<>();
        for (int partition = 0; partition < simulation.table().partitions(); partition++) {
            var reading = simulation.worker().read(partition);
            if (reading.isPresent() && simulation.worker().readsTheTopic(partition)) {
                try (ShardView view = reading.get().view()) {
                    long passed = view.checkpoint().nextOffset();
                    for (SimulatedLog.Poison poison : simulation.log().poison(partition)) {
                        if (poison.offset() < passed
                                && view.quarantined(poison.key()).isEmpty()) {
                            violations.add(
                                    "partition " + partition + " has passed " + poison + " and does not list it");
                        }
                    }
                }
            }
        }
        return violations;
    }
}
