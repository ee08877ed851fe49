package dev.tidemark.worker.apply;

import java.util.List;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.worker.store.RowState.Entries;

/**
 * What a row gives in one generation of an index.
 *
 * @param keys whole entry keys, in the order of those in {@code entries}
 * @param carried what each entry carries; empty for a reference
 * @param entries what the row state keeps of it
 */
public record Derived(List<KeyBytes> keys, KeyBytes carried, Entries entries) {
    public Derived {
        keys = List.copyOf(keys);
    }
}
