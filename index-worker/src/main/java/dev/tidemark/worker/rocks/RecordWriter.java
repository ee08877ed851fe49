package dev.tidemark.worker.rocks;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;

/** Lays out a stored value: numbers seven bits to a byte, bytes and text behind their length. */
final class RecordWriter {
    private static final int MOST_OF_A_NUMBER = 10;

    // Not a stream of the platform: those take a lock for every byte.
    private byte[] bytes = new byte[256];
    private int size;

    RecordWriter number(long value) {
        makeRoom(MOST_OF_A_NUMBER);
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            bytes[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
        return this;
    }

    RecordWriter bytes(KeyBytes value) {
        number(value.length());
        makeRoom(value.length());
        System.arraycopy(value.array(), 0, bytes, size, value.length());
        size += value.length();
        return this;
    }

    RecordWriter text(String value) {
        return bytes(KeyBytes.wrap(value.getBytes(StandardCharsets.UTF_8)));
    }

    RecordWriter version(RowVersion version) {
        return number(version.epoch()).number(version.sequence());
    }

    RecordWriter time(Instant time) {
        return number(time.getEpochSecond()).number(time.getNano());
    }

    /** Where the next value begins in {@link #array()}. */
    int size() {
        return size;
    }

    /** All that was written so far, and room behind it; another one once more is written. */
    byte[] array() {
        return bytes;
    }

    /** Forgets what was written, and keeps its room. */
    void clear() {
        size = 0;
    }

    byte[] toBytes() {
        return Arrays.copyOf(bytes, size);
    }

    private void makeRoom(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
        }
    }
}
