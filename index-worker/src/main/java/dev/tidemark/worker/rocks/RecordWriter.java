package dev.tidemark.worker.rocks;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;

/** Lays out a stored value: numbers seven bits to a byte, bytes and text behind their length. */
final class RecordWriter {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    RecordWriter number(long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            out.write((int) (rest & 0x7F) | 0x80);
            rest >>>= 7;
        }
        out.write((int) rest);
        return this;
    }

    RecordWriter bytes(KeyBytes value) {
        number(value.length());
        out.writeBytes(value.array());
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

    byte[] toBytes() {
        return out.toByteArray();
    }
}
