package dev.tidemark.writer.http;

import org.jspecify.annotations.Nullable;

/** One line of a bulk load. */
final class BulkLine {
    private final long number;
    private final byte @Nullable [] bytes;

    private BulkLine(long number, byte @Nullable [] bytes) {
        this.number = number;
        this.bytes = bytes;
    }

    static BulkLine of(long number, byte[] bytes) {
        return new BulkLine(number, bytes);
    }

    /** A line whose content was not kept. */
    static BulkLine tooLong(long number) {
        return new BulkLine(number, null);
    }

    /** Its place in the body, counting from 1. */
    long number() {
        return number;
    }

    /** Its content without the line end; null when it is too long. */
    byte @Nullable [] bytes() {
        return bytes;
    }

    /** Whether it holds nothing but white space. */
    boolean isBlank() {
        if (bytes == null) {
            return false;
        }
        for (byte b : bytes) {
            if (b != ' ' && b != '\t' && b != '\r') {
                return false;
            }
        }
        return true;
    }
}
