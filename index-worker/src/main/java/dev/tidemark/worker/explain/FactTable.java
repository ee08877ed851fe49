package dev.tidemark.worker.explain;

import java.util.Optional;
import java.util.function.LongConsumer;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.query.NotAnswerableException;

/** The fact table, as the writer knows it. May block for seconds. */
public interface FactTable {

    /**
     * A row as it is now; empty when there is none.
     *
     * @param memory reserves the given number of bytes for the row, or throws
     * @throws NotAnswerableException when the writer cannot be queried
     */
    Optional<FactRow> find(TableDefinition table, KeyBytes key, LongConsumer memory)
            throws NotAnswerableException, InterruptedException;

    /**
     * The version of a row as it is now; empty when there is no row.
     *
     * @throws NotAnswerableException when the writer cannot be queried
     */
    default Optional<RowVersion> version(TableDefinition table, KeyBytes key)
            throws NotAnswerableException, InterruptedException {
        return find(table, key, bytes -> {}).map(FactRow::version);
    }

    /** A row and its version. */
    record FactRow(RowVersion version, RowDocument row) {}
}
