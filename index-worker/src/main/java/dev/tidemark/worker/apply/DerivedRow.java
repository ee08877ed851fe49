package dev.tidemark.worker.apply;

import java.util.List;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.worker.store.RowState.Entries;

/**
 * The entries of a row in one generation of an index.
 *
 * @param keys whole entry keys, in the order of those in {@code entries}
 * @param carried the projected fields of each entry; empty for a reference
 * @param entries the part that the row state stores
 */
public record DerivedRow(List<KeyBytes> keys, KeyBytes carried, Entries entries) {
    /** Objects around a key, which is held whole and shortened. */
    private static final long KEY_OBJECTS = 128;

    public DerivedRow {
        keys = List.copyOf(keys);
    }

    /** Bytes that its keys take, and what each of them carries as it is stored, about. */
    public long bytes() {
        return keys.stream()
                .mapToLong(key -> KEY_OBJECTS + 2L * key.length() + carried.length())
                .sum();
    }
}
