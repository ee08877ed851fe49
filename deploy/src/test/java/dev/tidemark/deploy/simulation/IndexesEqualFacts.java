package dev.tidemark.deploy.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;
import dev.tidemark.worker.store.EntryScan;
import dev.tidemark.worker.store.ShardView;
import dev.tidemark.writer.commit.KeyedRow;

/** When lag is 0, every index equals what the fact table derives, and the counts are right. Holds at the end of a run. */
final class IndexesEqualFacts implements Guarantee {
    @Override
    public List<String> violations(Simulation simulation) {
        List<String> violations = new ArrayList<>();
        for (int partition = 0; partition < simulation.table().partitions(); partition++) {
            var reading = simulation.worker().read(partition).orElseThrow();
            try (ShardView view = reading.view()) {
                for (int index = 0; index < simulation.table().indexes().size(); index++) {
                    Set<String> expected = expected(simulation, partition, index);
                    List<String> found = found(view, index);
                    String where = "index " + index + " of partition " + partition;
                    if (!new TreeSet<>(found).equals(expected) || found.size() != expected.size()) {
                        violations.add(where + " holds " + found + ", expected " + expected);
                    }
                    long counted = reading.status().checkpoint().entries(index + 1L);
                    if (counted != expected.size()) {
                        violations.add(where + " counts " + counted + " entries, expected " + expected.size());
                    }
                }
            }
        }
        return violations;
    }

    private static Set<String> expected(Simulation simulation, int partition, int index) {
        Set<String> expected = new TreeSet<>();
        List<KeyedRow> rows = simulation
                .writer()
                .facts()
                .scan(SampleTable.NAME, null, Integer.MAX_VALUE, Long.MAX_VALUE)
                .rows();
        for (KeyedRow row : rows) {
            if (simulation.table().partitionOf(row.key()) == partition) {
                expected.addAll(ExpectedEntries.of(index, row.stored().row().tree()));
            }
        }
        return expected;
    }

    private static List<String> found(ShardView view, int index) {
        List<String> found = new ArrayList<>();
        try (EntryScan scan = view.scan(index + 1L, KeyRange.ALL, Order.ASC)) {
            for (; scan.isValid(); scan.next()) {
                found.add(ExpectedEntries.found(index, scan.key(), scan.carried()));
            }
        }
        return found;
    }
}
