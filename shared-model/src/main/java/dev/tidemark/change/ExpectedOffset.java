package dev.tidemark.change;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The offset that the relay expects for a record, in a header of its own. A record has another one where the broker lost records
 * before it, or where somebody else's came between; then it does not prove that everything before it is there, and a reader
 * applies it without moving its progress.
 */
public final class ExpectedOffset {
    /** A CloudEvents extension: an offset, or {@link #UNKNOWN}. */
    public static final String HEADER = "ce_offset";

    /** The relay does not vouch for what comes before the record. No record has this offset. */
    public static final long UNKNOWN = -1;

    private ExpectedOffset() {}

    /** The value of the header. */
    public static String text(long expected) {
        return Long.toString(expected);
    }

    /** Whether a record is where its relay expected it. Writers of older versions did not say, and are believed. */
    public static boolean isMet(Map<String, String> headers, long offset) {
        String text = headers.get(HEADER);
        return text == null || parse(text) == offset;
    }

    /** What the header of a record says; {@link #UNKNOWN} where there is none, or none that can be read. */
    public static long parse(@Nullable String text) {
        try {
            return text == null ? UNKNOWN : Long.parseLong(text);
        } catch (NumberFormatException e) {
            return UNKNOWN;
        }
    }
}
