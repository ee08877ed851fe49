package dev.tidemark.worker.verify;

import java.util.List;
import java.util.Optional;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.facts.StreamedFact;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.memory.MemoryBudget.Reservation;
import dev.tidemark.row.RowVersion;

/** The fact tables, as the writer knows them. */
public interface FactReader {
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
     * Some rows, from the first key on: of fewer than all keys where memory is short, but of at least one.
     *
     * @param keys at most {@value #MOST_KEYS}
     * @throws CannotVerifyException when the writer cannot be asked, or there is no memory for a row
     */
    Found find(TableDefinition table, List<KeyBytes> keys) throws CannotVerifyException, InterruptedException;

    /**
     * Rows, not necessarily all of one moment. To be closed once none of them is needed.
     *
     * @param from every change up to this one is seen
     * @param to no change after this one is seen
     * @param rows in the order of the keys, with their rows; empty where there is none
     * @param held the memory that the rows take
     */
    record Found(RowVersion from, RowVersion to, List<Optional<StreamedFact>> rows, List<Reservation> held)
            implements AutoCloseable {
        public Found {
            rows = List.copyOf(rows);
            held = List.copyOf(held);
        }

        /** Those of the keys asked for whose rows were not read. */
        List<KeyBytes> unread(List<KeyBytes> keys) {
            return keys.subList(rows.size(), keys.size());
        }

        @Override
        public void close() {
            held.forEach(Reservation::close);
        }
    }
}
