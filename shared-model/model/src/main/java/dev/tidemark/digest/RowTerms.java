package dev.tidemark.digest;

import java.util.Collection;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.tidemark.catalog.Generation;
import dev.tidemark.index.EntryDeriver;
import dev.tidemark.index.UnindexableRowException;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.PartialRow;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowFields;

/**
 * The pure function from a row to what it gives to the digests of some generations: the very sum that a shard keeps of
 * the entries that it has for the row. A row that one index cannot hold gives nothing there. For any thread.
 */
public final class RowTerms {
    private final SortedMap<Long, EntryDeriver> derivers = new TreeMap<>();

    private final RowFields fields;

    public RowTerms(Collection<Generation> generations) {
        generations.forEach(generation -> derivers.put(generation.id(), new EntryDeriver(generation.definition())));
        this.fields = EntryDeriver.fields(derivers.values());
    }

    /** What a row gives, by generation; of one that was accepted, because only the fields that matter are read. */
    public SortedMap<Long, EntryTerms> of(KeyBytes primaryKey, RowDocument row) {
        SortedMap<Long, EntryTerms> terms = new TreeMap<>();
        PartialRow read = fields.of(row);
        derivers.forEach((generation, deriver) -> terms.put(generation, of(deriver, primaryKey, read)));
        return terms;
    }

    private static EntryTerms of(EntryDeriver deriver, KeyBytes primaryKey, PartialRow row) {
        try {
            return EntryTerms.of(deriver.derive(primaryKey, row));
        } catch (UnindexableRowException e) {
            // The shard lists the row as refused and has no entry of it.
            return EntryTerms.NONE;
        }
    }
}
