package dev.tidemark.deploy.bench;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.tidemark.key.KeyBytes;

/** Where a baseline keeps its index: the entry key of every row, and the entries. For one thread. */
public interface EntryTable extends AutoCloseable {
    /** The entry keys of those of these rows that have an entry. */
    Map<KeyBytes, KeyBytes> entriesOf(List<KeyBytes> rows);

    /** Writes in one step: it is all there after a crash of the process, or nothing of it. */
    void write(EntryWrites writes);

    @Override
    void close();

    /**
     * What one batch of changes does to an index.
     *
     * @param changes in their order
     * @param offsets where each partition that the batch touches goes on
     */
    public record EntryWrites(List<Change> changes, Map<Integer, Long> offsets) {
        /**
         * One row.
         *
         * @param row its primary key
         * @param gone an entry to be taken away; null for none
         * @param entry the key of the entry that it has now; null for none
         * @param carried what the entry carries
         */
        public record Change(
                KeyBytes row,
                @Nullable KeyBytes gone,
                @Nullable KeyBytes entry,
                KeyBytes carried) {}
    }
}
