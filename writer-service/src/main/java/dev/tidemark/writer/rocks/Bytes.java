package dev.tidemark.writer.rocks;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Numbers and times in the database: big-endian, times in microseconds since 1970. */
final class Bytes {
    private static final long MICROS = 1_000_000;

    private Bytes() {}

    static byte[] ofLong(long value) {
        return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    }

    static long toLong(byte[] bytes) {
        return ByteBuffer.wrap(bytes).getLong();
    }

    static long micros(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }

    static Instant time(long micros) {
        return Instant.ofEpochSecond(Math.floorDiv(micros, MICROS), Math.floorMod(micros, MICROS) * 1_000);
    }

    /** The rest of a buffer. */
    static byte[] rest(ByteBuffer in) {
        byte[] rest = new byte[in.remaining()];
        in.get(rest);
        return rest;
    }
}
