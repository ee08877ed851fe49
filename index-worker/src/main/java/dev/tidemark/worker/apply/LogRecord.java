package dev.tidemark.worker.apply;

import dev.tidemark.change.ExpectedPosition;
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

    /**
     * Whether the record is at the offset that its writer expected; only then it may prove that everything before it is
     * there.
     */
    boolean isWhereExpected() {
        return ExpectedPosition.of(record.headers())
                .map(said -> said.offset() == offset)
                .orElse(true);
    }
}
