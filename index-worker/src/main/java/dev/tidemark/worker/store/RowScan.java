package dev.tidemark.worker.store;

import dev.tidemark.key.KeyBytes;

/**
 * Walks row states. Stands on the first when opened: {@code for (; scan.isValid(); scan.next())}. Close before the
 * view.
 */
public interface RowScan extends AutoCloseable {
    boolean isValid();

    KeyBytes primaryKey();

    RowState state();

    void next();

    @Override
    void close();
}
