package dev.tidemark.writer.commit;

import dev.tidemark.key.KeyBytes;

/**
 * A row and its key.
 *
 * @param key encoded primary key
 */
public record KeyedRow(KeyBytes key, StoredRow stored) {}
