package dev.tidemark.worker.query;

import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.key.KeyBytes;

/** The fact table, for those who follow a reference into it. */
public interface FactRows {
    /**
     * Rows as they are now, in the order of the keys; empty for a row that is gone.
     *
     * @throws NotAnswerableException when the writer cannot be asked
     */
    List<Optional<JsonNode>> lookup(TableDefinition table, List<KeyBytes> keys)
            throws NotAnswerableException, InterruptedException;
}
