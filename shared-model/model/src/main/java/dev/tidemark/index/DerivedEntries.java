package dev.tidemark.index;

import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowDocument;

/**
 * The entries that one row has in one index. They differ in their keys and share what they carry.
 *
 * @param keys whole entry keys (index key parts, then primary key), distinct and ascending; empty when the index does
 *     not hold the row
 * @param carried the projected part of the row; null for a reference, and when there are no entries
 * @param absence why there are no entries; empty exactly when there are some
 */
public record DerivedEntries(List<KeyBytes> keys, @Nullable RowDocument carried, Optional<Absence> absence) {

    public DerivedEntries {
        keys = List.copyOf(keys);
        if (keys.isEmpty() != absence.isPresent()) {
            throw new IllegalArgumentException(
                    "Expected either entries or a reason, but got " + keys + " and " + absence);
        }
    }

    /** The index holds the row. */
    static DerivedEntries of(List<KeyBytes> keys, @Nullable RowDocument carried) {
        return new DerivedEntries(keys, carried, Optional.empty());
    }

    /** The index does not hold the row. */
    static DerivedEntries none(Absence absence) {
        return new DerivedEntries(List.of(), null, Optional.of(absence));
    }
}
