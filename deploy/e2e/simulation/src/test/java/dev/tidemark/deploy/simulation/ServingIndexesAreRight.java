package dev.tidemark.deploy.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.Generation;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.RowScan;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.ShardView;

/**
 * At every moment, a shard holds in each generation just the entries of the rows that it has derived for it, each in
 * the version that the shard has of the row; and the generation that readers are given has been derived for every row,
 * but in shards that are built from nothing, of which they are given nothing.
 */
final class ServingIndexesAreRight implements Guarantee {
    /** By partition, the view that nothing was wrong with and that lacked nothing; the same one shows the same. */
    private final Map<Integer, Whole> whole = new HashMap<>();

    private record Whole(ShardView view, long definitions) {
        boolean isStill(ShardView shown, Definitions inForce) {
            return view == shown && definitions == inForce.version();
        }
    }

    @Override
    public List<String> violations(Watched watched) {
        Definitions inForce = watched.inForce();
        List<String> violations = new ArrayList<>();
        for (int partition = 0; partition < watched.table().partitions(); partition++) {
            var reading = watched.read(partition);
            if (reading.isPresent()) {
                try (ShardView view = reading.get().view()) {
                    Whole last = whole.get(partition);
                    if (last == null || !last.isStill(view, inForce)) {
                        boolean lacking = false;
                        for (Generation generation :
                                inForce.generations(watched.table().name())) {
                            lacking |= lacks(watched, partition, view, generation, violations);
                        }
                        if (lacking) {
                            whole.remove(partition);
                        } else {
                            whole.put(partition, new Whole(view, inForce.version()));
                        }
                    }
                }
            }
        }
        return violations;
    }

    /** Checks a generation, and tells whether a row is missing in it. */
    private static boolean lacks(
            Watched watched, int partition, ShardView view, Generation generation, List<String> violations) {
        Optional<GenerationStatus> held = view.checkpoint().generation(generation.id());
        if (held.isEmpty()) {
            return false;
        }
        Set<String> expected = new TreeSet<>();
        long lacking = 0;
        try (RowScan rows = view.scanRows()) {
            for (; rows.isValid(); rows.next()) {
                RowState state = rows.state();
                boolean derived = state.in(generation.id()).isPresent();
                lacking += state.isLive() && !derived ? 1 : 0;
                Optional<ChangeEvent> event = watched.history().upTo(rows.primaryKey(), state.version());
                if (derived && event.isPresent() && event.get() instanceof ChangeEvent.Upserted row) {
                    expected.addAll(watched.entries(Set.of(partition), generation.definition(), row));
                }
            }
        }
        String where = "generation " + generation.id() + " of "
                + generation.definition().name() + " in " + held.get().phase();
        List<String> found = IndexesEqualFacts.found(watched, view, generation);
        if (!new TreeSet<>(found).equals(expected) || found.size() != expected.size()) {
            violations.add(where + " holds " + found + ", the states of its rows give " + expected);
        }
        if (lacking > 0 && !view.checkpoint().isRestoring(generation.id()) && watched.isRead(generation)) {
            violations.add(where + " is read and lacks " + lacking + " rows");
        }
        return lacking > 0;
    }
}
