package dev.tidemark.index;

import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowDocument;

/**
 * The entries that one row has in one index. They differ in their keys and share what they carry.
 *
 * @param keys whole entry keys (index key parts, then primary key), distinct and ascending; empty when the index does
 *     not hold the row
 * @param carried the projected part of the row; null for a reference, and when there are no entries
 */
public record DerivedEntries(List<KeyBytes> keys, @Nullable RowDocument carried) {

    /** The index does not hold the row. */
    public static final DerivedEntries NONE = new DerivedEntries(List.of(), null);

    public DerivedEntries {
        keys = List.copyOf(keys);
    }
}
