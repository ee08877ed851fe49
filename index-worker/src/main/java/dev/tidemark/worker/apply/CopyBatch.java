package dev.tidemark.worker.apply;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;

/**
 * A contiguous piece of one partition, read again for generations that were added later.
 *
 * @param fromOffset where the piece begins
 * @param rows the rows in it, in the order of their offsets; deletes are left out
 * @param nextOffset the first offset after the piece
 */
public record CopyBatch(long fromOffset, List<Row> rows, long nextOffset) {
    public CopyBatch {
        rows = List.copyOf(rows);
    }

    /** The newest version of each row in the piece. An older one may come later, where the relay began again. */
    Map<KeyBytes, Row> newest() {
        Map<KeyBytes, Row> newest = new LinkedHashMap<>();
        rows.forEach(row ->
                newest.merge(row.key(), row, (one, other) -> one.version().isAfter(other.version()) ? one : other));
        return newest;
    }

    /**
     * A row of some version.
     *
     * @param derived what it gives, by generation
     */
    public record Row(KeyBytes key, RowVersion version, SortedMap<Long, Derived> derived) {}
}
