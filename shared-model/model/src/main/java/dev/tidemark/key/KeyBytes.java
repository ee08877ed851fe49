package dev.tidemark.key;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32C;

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

    /** One of some partitions: CRC-32C of the bytes, modulo their number. */
    public int partition(int partitions) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) (crc.getValue() % partitions);
    }

    @Override
    public int compareTo(KeyBytes other) {
        return Arrays.compareUnsigned(bytes, other.bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KeyBytes that && Arrays.equals(bytes, that.bytes);
    }

    /**
     * FNV-1a of 32 bits (Fowler, Noll and Vo, draft-eastlake-fnv). Keys that are numbers near each other differ in
     * their last bytes alone, and {@code Arrays.hashCode}, which multiplies by 31, gives about seven of them the same
     * one. Clients can make keys that collide: hash maps then compare keys by their order, and a table that does not
     * must hash by a secret.
     */
    @Override
    public int hashCode() {
        int hash = 0x811C9DC5;
        for (byte each : bytes) {
            hash = (hash ^ (each & 0xFF)) * 0x01000193;
        }
        return hash;
    }

    /** Hexadecimal, for messages. */
    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes);
    }
}
