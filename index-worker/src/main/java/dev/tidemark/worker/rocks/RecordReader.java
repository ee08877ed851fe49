package dev.tidemark.worker.rocks;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.store.ShardDamagedException;

/** Reads what {@link RecordWriter} wrote. Any other content means that the shard is damaged. */
final class RecordReader {
    private final byte[] bytes;
    private int position;

    RecordReader(byte[] bytes) {
        this.bytes = bytes;
    }

    long number() {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            byte next = take();
            value |= (next & 0x7FL) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw damaged("a number");
    }

    /** A number of things that are each at least one byte long. */
    int count() {
        long count = number();
        if (count < 0 || count > bytes.length - position) {
            throw damaged("a length");
        }
        return (int) count;
    }

    KeyBytes bytes() {
        int length = count();
        position += length;
        return KeyBytes.wrap(Arrays.copyOfRange(bytes, position - length, position));
    }

    String text() {
        return new String(bytes().array(), StandardCharsets.UTF_8);
    }

    RowVersion version() {
        try {
            return new RowVersion(number(), number());
        } catch (IllegalArgumentException e) {
            throw new ShardDamagedException("Expected a stored version", e);
        }
    }

    Instant time() {
        try {
            return Instant.ofEpochSecond(number(), number());
        } catch (DateTimeException | ArithmeticException e) {
            throw new ShardDamagedException("Expected a stored time", e);
        }
    }

    private byte take() {
        if (position == bytes.length) {
            throw damaged("more bytes");
        }
        return bytes[position++];
    }

    private ShardDamagedException damaged(String expected) {
        return new ShardDamagedException(
                "Expected " + expected + " at byte " + position + " of a stored value of " + bytes.length);
    }
}
