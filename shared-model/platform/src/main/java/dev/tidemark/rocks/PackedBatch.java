package dev.tidemark.rocks;

import java.util.Arrays;

import org.jspecify.annotations.Nullable;
import org.rocksdb.WriteBatch;

/**
 * Changes that are applied together or not at all, laid out here as RocksDB does it, so that thousands of them reach it
 * in one call instead of one each. The layout is that of its write-ahead log: eight bytes for a sequence number that
 * RocksDB sets, four with the number of records, little end first, then the records, each a tag, the number of its
 * table, and key and value behind their lengths. Made once and used again, because it keeps its room. What comes after
 * some megabytes goes to RocksDB's own memory one by one, so that no batch fills the heap, however large. For one
 * thread.
 */
public final class PackedBatch {
    private static final int HEADER = 12;
    private static final int COUNT_AT = 8;
    private static final byte PUT = 0x5;
    private static final byte DELETE = 0x4;

    /** A tag and three lengths. */
    private static final int MOST_AROUND = 16;

    /** Most bytes that are laid out here. */
    static final int MOST_HERE = 4 << 20;

    private byte[] bytes = new byte[1 << 10];
    private int size = HEADER;
    private int records;

    /** What was here when it became too much, and all that came since. */
    private @Nullable RocksBatch further;

    /** The key has that value afterwards. */
    public PackedBatch put(RocksTable table, byte[] key, byte[] value) {
        return put(table, key, value, 0, value.length);
    }

    /** The key has a piece of an array for its value afterwards. */
    public PackedBatch put(RocksTable table, byte[] key, byte[] value, int from, int length) {
        RocksBatch beyond = beyond((long) key.length + length);
        if (beyond == null) {
            begin(PUT, table, key.length + length);
            append(key, 0, key.length);
            append(value, from, length);
        } else {
            boolean whole = from == 0 && length == value.length;
            beyond.put(table, key, whole ? value : Arrays.copyOfRange(value, from, from + length));
        }
        return this;
    }

    /** The key is gone afterwards. */
    public PackedBatch delete(RocksTable table, byte[] key) {
        RocksBatch beyond = beyond(key.length);
        if (beyond == null) {
            begin(DELETE, table, key.length);
            append(key, 0, key.length);
        } else {
            beyond.delete(table, key);
        }
        return this;
    }

    /** The same for {@link RocksDatabase#write}, to be closed by the caller; nothing is in here afterwards. */
    public RocksBatch toBatch() {
        RocksBatch all = further == null ? laidOut() : further;
        further = null;
        clear();
        return all;
    }

    /** Forgets everything that was added. */
    public void clear() {
        if (further != null) {
            further.close();
            further = null;
        }
        size = HEADER;
        records = 0;
    }

    /** Where the next record goes when not here. */
    private @Nullable RocksBatch beyond(long length) {
        if (further == null && size + length + MOST_AROUND > MOST_HERE) {
            further = laidOut();
        }
        return further;
    }

    private RocksBatch laidOut() {
        for (int i = 0; i < Integer.BYTES; i++) {
            bytes[COUNT_AT + i] = (byte) (records >>> (Byte.SIZE * i));
        }
        return new RocksBatch(new WriteBatch(Arrays.copyOf(bytes, size)));
    }

    private void begin(byte tag, RocksTable table, int length) {
        int needed = size + length + MOST_AROUND;
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, needed));
        }
        bytes[size++] = tag;
        number(table.id());
        records++;
    }

    private void append(byte[] from, int start, int length) {
        number(length);
        System.arraycopy(from, start, bytes, size, length);
        size += length;
    }

    private void number(int value) {
        int rest = value;
        while ((rest & ~0x7F) != 0) {
            bytes[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
    }
}
