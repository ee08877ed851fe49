package dev.tidemark.worker.verify;

import org.jspecify.annotations.Nullable;

import dev.tidemark.facts.FactStreamHead;
import dev.tidemark.facts.StreamedFact;

/** A whole fact table as of one moment, row by row. Close it soon: it keeps old data alive at the writer. */
public interface FactStream extends AutoCloseable {
    /** The moment. */
    FactStreamHead head();

    /**
     * The next row in the order of primary keys; null after the last one.
     *
     * @throws CannotVerifyException when the stream breaks off
     */
    @Nullable
    StreamedFact next() throws CannotVerifyException;

    @Override
    void close();
}
