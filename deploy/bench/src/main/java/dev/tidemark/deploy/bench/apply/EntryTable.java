package dev.tidemark.deploy.bench.apply;

import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.tidemark.key.KeyBytes;

/** Where a baseline keeps its index: the entry key of every row, and the entries. For one thread. */
public interface EntryTable extends AutoCloseable {
    /** The entry key of each of these rows, in their order; null for a row without an entry. */
    List<@Nullable KeyBytes> entriesOf(List<KeyBytes> rows);

    /** Writes in one step: it is all there after a crash of the process, or nothing of it. */
    void write(EntryWrites writes);

    @Override
    void close();
}
