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
public record DerivedRow(List<KeyBytes> keys, KeyBytes carried, Entries entries) {
    /** Objects around a key, which is held whole and shortened. */
    private static final long KEY_OBJECTS = 128;

    public DerivedRow {
        keys = List.copyOf(keys);
    }

    /** Bytes that its keys take, about. */
    public long bytes() {
        return keys.stream().mapToLong(key -> KEY_OBJECTS + 2L * key.length()).sum();
    }
}
