package dev.tidemark.worker.apply;

import dev.tidemark.change.WireRecord;

/**
 * A record where it stands in its partition.
 *
 * @param offset its offset; gaps are usual, because compaction makes them
 * @param record key, value and headers; the empty key where the record has none
 */
public record LogRecord(long offset, WireRecord record) {}
