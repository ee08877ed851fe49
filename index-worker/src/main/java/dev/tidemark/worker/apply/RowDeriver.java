package dev.tidemark.worker.apply;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

import dev.tidemark.catalog.Generation;
import dev.tidemark.digest.EntryDigest;
import dev.tidemark.index.DerivedEntries;
import dev.tidemark.index.EntryDeriver;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.index.KeyPart;
import dev.tidemark.index.UnindexableRowException;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.PartialRow;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowFields;
import dev.tidemark.worker.store.RowState.Entries;

/** The pure function from a row to its entries in some generations. For any thread. */
public final class RowDeriver {
    private final SortedMap<Long, EntryDeriver> derivers = new TreeMap<>();
    private final RowFields fields;

    /** Derives all entries of a row. */
    public RowDeriver(Collection<Generation> generations) {
        this(generations, EntryDeriver::new);
    }

    /** Derives the entries that a shard has of a row: of a global index, those of its partition. */
    public RowDeriver(Collection<Generation> generations, int partition) {
        this(generations, index -> EntryDeriver.of(index, partition));
    }

    private RowDeriver(Collection<Generation> generations, Function<IndexDefinition, EntryDeriver> deriver) {
        generations.forEach(generation -> derivers.put(generation.id(), deriver.apply(generation.definition())));
        this.fields = EntryDeriver.fields(derivers.values());
    }

    /** The numbers of the generations. */
    public Set<Long> generations() {
        return derivers.keySet();
    }

    /**
     * Whether a row may have many entries in one of the generations, so that its keys may be much longer in total than
     * the row.
     */
    boolean mayGiveMany() {
        return derivers.values().stream()
                .anyMatch(deriver -> deriver.index().key().stream().anyMatch(KeyPart::each));
    }

    /** The fields that must have been read of a row. */
    public RowFields fields() {
        return fields;
    }

    /** The entries of a row, by generation. */
    public SortedMap<Long, DerivedRow> derive(KeyBytes primaryKey, RowDocument row) {
        return derive(primaryKey, fields.of(row));
    }

    /** The entries of a row of which at least {@link #fields()} have been read, by generation. */
    public SortedMap<Long, DerivedRow> derive(KeyBytes primaryKey, PartialRow row) {
        SortedMap<Long, DerivedRow> derived = new TreeMap<>();
        derivers.forEach((generation, deriver) -> derived.put(generation, derive(deriver, primaryKey, row)));
        return derived;
    }

    private static DerivedRow derive(EntryDeriver deriver, KeyBytes primaryKey, PartialRow row) {
        DerivedEntries found;
        try {
            found = deriver.derive(primaryKey, row);
        } catch (UnindexableRowException e) {
            return new DerivedRow(List.of(), KeyBytes.EMPTY, Entries.refused(String.valueOf(e.getMessage())));
        }
        KeyBytes carried = found.carried() == null
                ? KeyBytes.EMPTY
                : KeyBytes.wrap(found.carried().bytes());
        List<KeyBytes> shortened = new ArrayList<>(found.keys().size());
        for (KeyBytes key : found.keys()) {
            shortened.add(KeyBytes.wrap(Arrays.copyOf(key.array(), key.length() - primaryKey.length())));
        }
        long fingerprint = EntryDigest.fingerprint(carried);
        return new DerivedRow(found.keys(), carried, new Entries(shortened, fingerprint, found.absence()));
    }
}
