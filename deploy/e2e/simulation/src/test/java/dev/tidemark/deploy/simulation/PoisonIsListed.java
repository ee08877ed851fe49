package dev.tidemark.deploy.simulation;

import java.util.ArrayList;
import java.util.List;

import dev.tidemark.worker.store.ShardView;

/**
 * Whatever a shard has passed in its log and could not apply, it has kept and lists, unless the log is no longer the
 * one it read.
 */
final class PoisonIsListed implements Guarantee {
    @Override
    public List<String> violations(Watched watched) {
        List<String> violations = new ArrayList<>();
        for (int partition = 0; partition < watched.table().partitions(); partition++) {
            var reading = watched.read(partition);
            if (reading.isPresent() && watched.readsTheTopic(partition)) {
                try (ShardView view = reading.get().view()) {
                    long passed = view.checkpoint().nextOffset();
                    for (SimulatedLog.Poison poison : watched.log().poison(partition)) {
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
