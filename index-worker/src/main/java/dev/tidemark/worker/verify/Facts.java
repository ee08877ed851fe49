package dev.tidemark.worker.verify;

import java.util.List;
import java.util.Optional;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.facts.StreamedFact;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;

/** The fact tables, as the writer knows them. */
public interface Facts {
    /** Most keys of one lookup. */
    int MOST_KEYS = 200;

    /**
     * A whole table.
     *
     * @param whole whether the rows are wanted too; their versions come in any case
     * @throws CannotVerifyException when the writer cannot be asked
     */
    FactStream stream(TableDefinition table, boolean whole) throws CannotVerifyException, InterruptedException;

    /**
     * Some rows.
     *
     * @param keys at most {@value #MOST_KEYS}
     * @throws CannotVerifyException when the writer cannot be asked
     */
    Found find(TableDefinition table, List<KeyBytes> keys) throws CannotVerifyException, InterruptedException;

    /**
     * Rows, not necessarily all of one moment.
     *
     * @param from every change up to this one is seen
     * @param to no change after this one is seen
     * @param rows in the order of the keys, with their rows; empty where there is none
     */
    record Found(RowVersion from, RowVersion to, List<Optional<StreamedFact>> rows) {
        public Found {
            rows = List.copyOf(rows);
        }
    }
}
