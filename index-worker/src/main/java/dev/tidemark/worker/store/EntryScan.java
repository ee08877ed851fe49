package dev.tidemark.worker.store;

import dev.tidemark.key.KeyBytes;

/** Walks entries. Stands on the first when opened: {@code for (; scan.isValid(); scan.next())}. Close before the view. */
public interface EntryScan extends AutoCloseable {
    boolean isValid();

    /** Whole entry key: index key parts, then primary key. */
    KeyBytes key();

    /** What the entry carries of its row, as JSON; empty for a reference. */
    KeyBytes carried();

    void next();

    @Override
    void close();
}
