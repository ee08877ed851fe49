package dev.tidemark.worker.query;

import java.util.List;
import java.util.Optional;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.key.KeyBytes;

/** The fact table, for those who follow a reference into it. */
public interface FactRows {
    /**
     * Rows as they are now, as JSON, in the order of the keys; empty for a row that is gone. Where the room is full, or
     * there is no memory left for more, they are the rows of the first keys only, and of one at least.
     *
     * @param room which takes in every row that is returned
     * @throws NotAnswerableException when the writer cannot be asked, or there is no memory left for the first row
     */
    List<Optional<KeyBytes>> lookup(TableDefinition table, List<KeyBytes> keys, PageMemory room)
            throws NotAnswerableException, InterruptedException;
}
