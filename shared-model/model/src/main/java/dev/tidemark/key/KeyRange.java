package dev.tidemark.key;

import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * A contiguous block of keys.
 *
 * @param fromInclusive the least key in the block
 * @param toExclusive the least key beyond it, or null when the block has no upper end
 */
public record KeyRange(KeyBytes fromInclusive, @Nullable KeyBytes toExclusive) {

    /** Every key. */
    public static final KeyRange ALL = new KeyRange(KeyBytes.EMPTY, null);

    /** All keys that begin with the given bytes. */
    public static KeyRange ofPrefix(KeyBytes prefix) {
        return new KeyRange(prefix, successor(prefix));
    }

    /** The least key above every key that begins with the given bytes; null where there is none. */
    public static @Nullable KeyBytes successor(KeyBytes prefix) {
        byte[] bytes = prefix.array();
        int last = bytes.length - 1;
        while (last >= 0 && bytes[last] == (byte) 0xFF) {
            last--;
        }
        if (last < 0) {
            return null;
        }
        byte[] next = Arrays.copyOf(bytes, last + 1);
        next[last]++;
        return KeyBytes.wrap(next);
    }

    public boolean isEmpty() {
        return toExclusive != null && fromInclusive.compareTo(toExclusive) >= 0;
    }

    public boolean contains(KeyBytes key) {
        return fromInclusive.compareTo(key) <= 0 && (toExclusive == null || key.compareTo(toExclusive) < 0);
    }
}
