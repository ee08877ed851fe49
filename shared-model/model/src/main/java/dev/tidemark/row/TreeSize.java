package dev.tidemark.row;

/** How much memory the tree of a JSON text takes at most; found without parsing it. */
public final class TreeSize {
    /** A value, and its place in its parent. */
    private static final long VALUE_BYTES = 100;

    /** The name of a value, and the entry of a map for both. */
    private static final long NAME_BYTES = 100;

    /** An object or a list with room for its first members. */
    private static final long PARENT_BYTES = 200;

    /** Texts and numbers are kept as they are, or as characters of two bytes. */
    private static final long BYTES_A_BYTE = 3;

    private TreeSize() {}

    /** Bytes that the tree of a text takes at most. */
    public static long mostBytes(byte[] json) {
        long bytes = VALUE_BYTES;
        boolean inText = false;
        for (int i = 0; i < json.length; i++) {
            byte next = json[i];
            if (next == '"') {
                inText = !inText;
            } else if (inText) {
                // What follows a backslash ends no text.
                i += next == '\\' ? 1 : 0;
            } else if (next == ',') {
                bytes += VALUE_BYTES;
            } else if (next == ':') {
                bytes += NAME_BYTES;
            } else if (next == '[' || next == '{') {
                bytes += PARENT_BYTES;
            }
        }
        return bytes + json.length * BYTES_A_BYTE;
    }
}
