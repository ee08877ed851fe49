package dev.tidemark.rocks;

import java.util.Arrays;

import org.rocksdb.WriteBatch;

/**
 * Changes that are applied together or not at all, laid out here as RocksDB does it, so that thousands of them reach it in one call
 * instead of one each. The layout is that of its write-ahead log: eight bytes for a sequence number that RocksDB sets, four with the
 * number of records, little end first, then the records, each a tag, the number of its table, and key and value behind their
 * lengths. Made once and emptied after each use, because it keeps its room. For one thread.
 */
public final class PackedBatch {
    private static final int HEADER = 12;
    private static final int COUNT_AT = 8;
    private static final byte PUT = 0x5;
    private static final byte DELETE = 0x4;

    /** A tag and three lengths. */
    private static final int MOST_AROUND = 16;

    /** More room than this is given back when the batch is emptied. */
    private static final int MOST_KEPT = 8 << 20;

    private byte[] bytes = new byte[1 << 10];
    private int size = HEADER;
    private int records;

    /** The key has that value afterwards. */
    public PackedBatch put(RocksTable table, byte[] key, byte[] value) {
        return put(table, key, value, 0, value.length);
    }

    /** The key has a piece of an array for its value afterwards. */
    public PackedBatch put(RocksTable table, byte[] key, byte[] value, int from, int length) {
        begin(PUT, table, key.length + length);
        append(key, 0, key.length);
        append(value, from, length);
        return this;
    }

    /** The key is gone afterwards. */
    public PackedBatch delete(RocksTable table, byte[] key) {
        begin(DELETE, table, key.length);
        append(key, 0, key.length);
        return this;
    }

    /** The same for {@link RocksDatabase#write}; what is added here later is not in it. */
    public RocksBatch toBatch() {
        for (int i = 0; i < Integer.BYTES; i++) {
            bytes[COUNT_AT + i] = (byte) (records >>> (Byte.SIZE * i));
        }
        return new RocksBatch(new WriteBatch(Arrays.copyOf(bytes, size)));
    }

    /** Forgets everything that was added. */
    public void clear() {
        size = HEADER;
        records = 0;
        if (bytes.length > MOST_KEPT) {
            bytes = new byte[1 << 10];
        }
    }

    private void begin(byte tag, RocksTable table, int length) {
        int needed = Math.addExact(Math.addExact(size, length), MOST_AROUND);
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(Integer.MAX_VALUE - 8L, Math.max(2L * bytes.length, needed)));
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
