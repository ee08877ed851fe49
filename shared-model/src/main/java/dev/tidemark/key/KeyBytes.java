package dev.tidemark.key;

import java.util.Arrays;
import java.util.HexFormat;

/** An immutable key, ordered by unsigned byte. */
public final class KeyBytes implements Comparable<KeyBytes> {
    public static final KeyBytes EMPTY = new KeyBytes(new byte[0]);

    private final byte[] bytes;

    private KeyBytes(byte[] bytes) {
        this.bytes = bytes;
    }

    /** A key over the given array, which the caller gives up. */
    public static KeyBytes wrap(byte[] bytes) {
        return new KeyBytes(bytes);
    }

    /** The key's own array, not a copy: callers must not write to it. */
    public byte[] array() {
        return bytes;
    }

    public int length() {
        return bytes.length;
    }

    public KeyBytes concat(KeyBytes suffix) {
        byte[] joined = Arrays.copyOf(bytes, bytes.length + suffix.bytes.length);
        System.arraycopy(suffix.bytes, 0, joined, bytes.length, suffix.bytes.length);
        return new KeyBytes(joined);
    }

    public boolean startsWith(KeyBytes prefix) {
        return bytes.length >= prefix.bytes.length
                && Arrays.equals(bytes, 0, prefix.bytes.length, prefix.bytes, 0, prefix.bytes.length);
    }

    @Override
    public int compareTo(KeyBytes other) {
        return Arrays.compareUnsigned(bytes, other.bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KeyBytes that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** Hexadecimal, for messages. */
    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes);
    }
}
