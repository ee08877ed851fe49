package dev.tidemark.worker.apply;

import dev.tidemark.change.WireRecord;
import dev.tidemark.key.KeyBytes;

/**
 * A record at its offset in its partition.
 *
 * @param offset its offset; gaps are usual, because of compaction
 * @param record key, value and headers; the empty key where the record has none
 */
public record LogRecord(long offset, WireRecord record) {
    /** Objects and headers of a record, about. */
    private static final long OVERHEAD = 512;

    /** Bytes of heap that it takes, about. */
    public long heldBytes() {
        KeyBytes value = record.value();
        return OVERHEAD + record.key().length() + (value == null ? 0 : value.length());
    }
}
