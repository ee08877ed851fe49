package dev.tidemark.deploy.bench.apply;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.tidemark.key.KeyBytes;

/**
 * What one batch of changes does to an index.
 *
 * @param changes in their order
 * @param offsets where each partition that the batch touches goes on
 */
public record EntryWrites(List<Change> changes, Map<Integer, Long> offsets) {
    public EntryWrites {
        changes = List.copyOf(changes);
        offsets = Map.copyOf(offsets);
    }

    /**
     * One row.
     *
     * @param row its primary key
     * @param gone an entry to be taken away; null for none
     * @param entry the key of the entry that it has now; null for none
     * @param carried what the entry carries
     */
    public record Change(
            KeyBytes row, @Nullable KeyBytes gone, @Nullable KeyBytes entry, KeyBytes carried) {}
}
