package dev.tidemark.deploy.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import dev.tidemark.catalog.Generation;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;
import dev.tidemark.worker.store.EntryScan;
import dev.tidemark.worker.store.GenerationState;
import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.ShardView;
import dev.tidemark.writer.commit.KeyedRow;

/**
 * When lag is 0 and nothing is changed any more, a shard holds just the generations that are wanted, all of them ready,
 * and each equals what the fact table derives. Holds at the end of a run.
 */
final class IndexesEqualFacts implements Guarantee {
    @Override
    public List<String> violations(Watched watched) {
        List<String> violations = new ArrayList<>();
        List<Generation> wanted = watched.inForce().generations(watched.table().name());
        for (int partition = 0; partition < watched.table().partitions(); partition++) {
            var reading = watched.read(partition);
            if (reading.isEmpty()) {
                // Another worker has the shard, and just one does.
                continue;
            }
            try (ShardView view = reading.get().view()) {
                Map<Long, GenerationStatus> held =
                        reading.get().status().checkpoint().generations();
                Set<Long> numbers = wanted.stream().map(Generation::id).collect(Collectors.toSet());
                if (!held.keySet().equals(numbers)) {
                    violations.add("partition " + partition + " holds " + held.keySet() + ", wanted are " + numbers);
                }
                for (Generation generation : wanted) {
                    Set<String> expected = expected(watched, partition, generation);
                    check(found(watched, view, generation), view, generation, expected, violations);
                }
            }
        }
        return violations;
    }

    private static void check(
            List<String> found, ShardView view, Generation generation, Set<String> expected, List<String> violations) {
        String where = "generation " + generation.id() + " of "
                + generation.definition().name();
        if (!new TreeSet<>(found).equals(expected) || found.size() != expected.size()) {
            violations.add(where + " holds " + found + ", expected " + expected);
        }
        Optional<GenerationStatus> held = view.checkpoint().generation(generation.id());
        if (held.isEmpty()) {
            violations.add(where + " is not held");
            return;
        }
        GenerationStatus status = held.get();
        if (status.tally().entries() != expected.size()) {
            violations.add(where + " counts " + status.tally().entries() + " entries, expected " + expected.size());
        }
        if (!(status.phase() instanceof GenerationState.Ready)) {
            violations.add(where + " is not ready, but " + status.phase());
        }
    }

    private static Set<String> expected(Watched watched, int partition, Generation generation) {
        Set<String> expected = new TreeSet<>();
        List<KeyedRow> rows = watched.writer()
                .facts()
                .scan(watched.facts(), null, Integer.MAX_VALUE, Long.MAX_VALUE)
                .rows();
        for (KeyedRow row : rows) {
            expected.addAll(watched.entries(Set.of(partition), generation.definition(), Watched.stated(row)));
        }
        return expected;
    }

    /** What a generation holds. */
    static List<String> found(Watched watched, ShardView view, Generation generation) {
        List<String> found = new ArrayList<>();
        try (EntryScan scan = view.scan(generation.id(), KeyRange.ALL, Order.ASC)) {
            for (; scan.isValid(); scan.next()) {
                found.add(watched.expected().found(generation.definition(), scan.key(), scan.carried()));
            }
        }
        return found;
    }
}
