package dev.tidemark.writer.outbox;

/**
 * Offsets of a partition that follow each other.
 *
 * @param first the first of them
 * @param end the one after the last
 */
public record OffsetRange(long first, long end) {
    /** The same offsets and the next one. */
    OffsetRange longer() {
        return new OffsetRange(first, end + 1);
    }
}
