package dev.tidemark.deploy.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.progress.Progress;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.lifecycle.LiveShard;

/**
 * The reported lag is never smaller than the real one: whatever a shard says it is complete up to, by time and by version,
 * every row is there in the state it had then, or a newer one.
 */
final class LagIsHonest implements Guarantee {
    @Override
    public List<String> violations(Simulation simulation) {
        List<String> violations = new ArrayList<>();
        History history = simulation.history();
        for (int partition = 0; partition < simulation.table().partitions(); partition++) {
            Optional<LiveShard.Reading> reading = simulation.worker().read(partition);
            if (reading.isPresent()) {
                try (var view = reading.get().view()) {
                    Progress told = reading.get().status().checkpoint().progress();
                    for (KeyBytes key : history.keys()) {
                        if (simulation.table().partitionOf(key) == partition) {
                            Optional<RowVersion> held =
                                    view.versions(List.of(key)).get(0);
                            check(history, history.asOf(key, told.completeUpTo()), held, "time", violations);
                            check(history, history.upTo(key, told.through()), held, "version", violations);
                        }
                    }
                }
            }
        }
        return violations;
    }

    private static void check(
            History history, Optional<ChangeEvent> due, Optional<RowVersion> held, String by, List<String> violations) {
        if (due.isEmpty()) {
            return;
        }
        ChangeEvent event = due.get();
        // A shard may know nothing of a row because it was told to forget one that was deleted.
        boolean there = held.isPresent()
                ? !event.version().isAfter(held.get())
                : history.isDeletedSince(event.key(), event.version());
        if (!there) {
            violations.add("complete by " + by + ", but the shard holds " + held + " of " + event);
        }
    }
}
