package dev.tidemark.writer.commit;

import org.jspecify.annotations.Nullable;

/**
 * The rows of one table at one moment, to be walked once in key order. For one thread at a time. Close it
 * soon: it keeps old data alive.
 */
public interface FactSnapshot extends AutoCloseable {
    /**
     * The moment: what was committed up to it is seen, and nothing later. Its time is that of the commit, without
     * regard to promises.
     */
    CommitPosition point();

    /** The next row; null after the last one. */
    @Nullable
    KeyedRow next();

    @Override
    void close();
}
