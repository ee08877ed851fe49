package dev.tidemark.worker.verify;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.facts.StreamedFact;
import dev.tidemark.index.EntryDeriver;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.PartialRow;
import dev.tidemark.row.RowFields;
import dev.tidemark.worker.apply.RowDeriver;

/**
 * Which shards hold a row, and what each of them has of it: the shard of its key, or for a global index those that
 * have an entry of it. Belongs to one thread.
 */
final class RowShards {
    private final TableDefinition table;
    private final List<Generation> generations;
    private final boolean byIndex;
    private final List<EntryDeriver> placing;
    private final RowFields fields;
    private final Map<Integer, RowDeriver> derivers = new HashMap<>();

    RowShards(TableDefinition table, List<Generation> generations) {
        this.table = table;
        this.generations = List.copyOf(generations);
        this.byIndex = DerivedTable.isByIndex(table.name());
        this.placing = generations.stream()
                .map(generation -> new EntryDeriver(generation.definition()))
                .toList();
        this.fields = EntryDeriver.fields(placing);
    }

    /** Whether only a row itself shows where it is. */
    boolean needsRows() {
        return byIndex;
    }

    /** Whether a shard can hold a row of that key. */
    boolean canHold(int partition, KeyBytes key) {
        return byIndex || table.partitionOf(key) == partition;
    }

    /** The partitions of the shards that hold a row. */
    Set<Integer> of(StreamedFact fact) {
        if (!byIndex) {
            return Set.of(table.partitionOf(fact.key()));
        }
        PartialRow row = fields.of(fact.row().orElseThrow());
        Set<Integer> partitions = new TreeSet<>();
        placing.forEach(index -> partitions.addAll(index.partitions(fact.key(), row)));
        return partitions;
    }

    /** Derives what a shard has of a row. */
    RowDeriver deriver(int partition) {
        return derivers.computeIfAbsent(byIndex ? partition : 0, one -> new RowDeriver(generations, one));
    }
}
