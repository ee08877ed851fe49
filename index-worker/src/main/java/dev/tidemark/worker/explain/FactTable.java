package dev.tidemark.worker.explain;

import java.util.Optional;

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
     * @throws NotAnswerableException when the writer cannot be asked
     */
    Optional<FactRow> find(TableDefinition table, KeyBytes key) throws NotAnswerableException, InterruptedException;

    /** A row and its version. */
    record FactRow(RowVersion version, RowDocument row) {}
}
