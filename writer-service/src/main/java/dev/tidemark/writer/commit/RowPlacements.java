package dev.tidemark.writer.commit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.Layout;
import dev.tidemark.digest.EntryTerms;
import dev.tidemark.index.EntryDeriver;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowFields;
import dev.tidemark.row.UnreadableRowException;

/**
 * Where changes of one table are published to beside its own topic: each partition of each generation of a global index
 * that holds the row before the change or after it, and the partition of the row in each layout. Immutable; for any
 * thread.
 */
public final class RowPlacements {
    private static final Comparator<DerivedTable> BY_NUMBER = Comparator.comparingLong(DerivedTable::number);

    private final SortedMap<DerivedTable, EntryDeriver> derivers = new TreeMap<>(BY_NUMBER);
    private final SortedMap<DerivedTable, Layout> layouts = new TreeMap<>(BY_NUMBER);

    private final RowFields fields;
    private final Set<DerivedTable> homes;

    /** Placements in those of these generations that derived tables hold. */
    public RowPlacements(Collection<Generation> generations) {
        for (Generation generation : generations) {
            generation.layout().ifPresent(layout -> layouts.put(DerivedTable.of(generation), layout));
            if (generation.definition().isGlobal()) {
                derivers.put(DerivedTable.of(generation), new EntryDeriver(generation.definition()));
            }
        }
        this.fields = EntryDeriver.fields(derivers.values());
        Set<DerivedTable> all = new HashSet<>(derivers.keySet());
        all.addAll(layouts.keySet());
        this.homes = Set.copyOf(all);
    }

    /** The derived tables that changes are placed in. */
    public Collection<DerivedTable> homes() {
        return homes;
    }

    /**
     * The placements of a change, by generation and partition.
     *
     * @param before the row just before it; null where there was none
     * @param after the row just after it; null where there is none
     * @param terms what was derived of the new row, by generation, as far as it was
     */
    List<Placement> of(
            KeyBytes key, @Nullable RowDocument before, @Nullable RowDocument after, Map<Long, EntryTerms> terms) {
        if (homes.isEmpty()) {
            return List.of();
        }
        List<Placement> placements = new ArrayList<>();
        layouts.forEach((home, layout) ->
                placements.add(new Placement(home, key.partition(layout.partitions()), after != null)));
        derivers.forEach((home, deriver) -> {
            EntryTerms derived = terms.getOrDefault(home.number(), EntryTerms.NONE);
            SortedSet<Integer> now =
                    derived.keys().isEmpty() ? partitions(deriver, key, after) : partitions(deriver, derived.keys());
            SortedSet<Integer> all = new TreeSet<>(now);
            all.addAll(partitions(deriver, key, before));
            all.forEach(partition -> placements.add(new Placement(home, partition, now.contains(partition))));
        });
        return placements;
    }

    /** The partitions of a derived table that must hold a row; null for no row. */
    public SortedSet<Integer> partitions(DerivedTable home, KeyBytes key, @Nullable RowDocument row) {
        Layout layout = layouts.get(home);
        if (layout != null && row != null) {
            return new TreeSet<>(List.of(key.partition(layout.partitions())));
        }
        EntryDeriver deriver = derivers.get(home);
        return deriver == null ? new TreeSet<>() : partitions(deriver, key, row);
    }

    private static SortedSet<Integer> partitions(EntryDeriver deriver, List<KeyBytes> entryKeys) {
        SortedSet<Integer> partitions = new TreeSet<>();
        entryKeys.forEach(key -> partitions.add(deriver.index().partitionOf(key)));
        return partitions;
    }

    private SortedSet<Integer> partitions(EntryDeriver deriver, KeyBytes key, @Nullable RowDocument row) {
        if (row == null) {
            return new TreeSet<>();
        }
        try {
            return deriver.partitions(key, fields.of(row));
        } catch (UnreadableRowException e) {
            // Where such a row was stated before is not known, so each partition takes the change.
            return new TreeSet<>(
                    IntStream.range(0, deriver.index().partitions()).boxed().toList());
        }
    }
}
