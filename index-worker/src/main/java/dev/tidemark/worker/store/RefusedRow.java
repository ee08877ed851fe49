package dev.tidemark.worker.store;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;

/**
 * A row that an index cannot hold, although its table does.
 *
 * @param primaryKey encoded
 * @param version the version of the row that was refused
 * @param reason what was expected and found
 */
public record RefusedRow(KeyBytes primaryKey, RowVersion version, String reason) {}
