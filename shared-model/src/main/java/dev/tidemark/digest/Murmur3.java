package dev.tidemark.digest;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * MurmurHash3_x64_128 by Austin Appleby, who gave it to the public domain; written after
 * {@code github.com/aappleby/smhasher/blob/master/src/MurmurHash3.cpp}, with the seed 0. Frozen: digests are on disk.
 */
final class Murmur3 {
    private static final VarHandle LITTLE_ENDIAN =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int BLOCK = 16;
    private static final int HALF = 8;
    private static final long C1 = 0x87c37b91114253d5L;
    private static final long C2 = 0x4cf5ad432745937fL;

    private Murmur3() {}

    /** The hash of bytes. */
    static Digest hash(byte[] bytes) {
        int whole = bytes.length / BLOCK * BLOCK;
        long h1 = 0;
        long h2 = 0;
        for (int at = 0; at < whole; at += BLOCK) {
            h1 ^= first((long) LITTLE_ENDIAN.get(bytes, at));
            h1 = (Long.rotateLeft(h1, 27) + h2) * 5 + 0x52dce729;
            h2 ^= second((long) LITTLE_ENDIAN.get(bytes, at + HALF));
            h2 = (Long.rotateLeft(h2, 31) + h1) * 5 + 0x38495ab5;
        }
        h2 ^= second(rest(bytes, whole + HALF, bytes.length));
        h1 ^= first(rest(bytes, whole, Math.min(bytes.length, whole + HALF)));
        h1 ^= bytes.length;
        h2 ^= bytes.length;
        h1 += h2;
        h2 += h1;
        h1 = scattered(h1);
        h2 = scattered(h2);
        h1 += h2;
        h2 += h1;
        return new Digest(h1, h2);
    }

    private static long first(long block) {
        return Long.rotateLeft(block * C1, 31) * C2;
    }

    private static long second(long block) {
        return Long.rotateLeft(block * C2, 33) * C1;
    }

    /** Fewer than nine bytes as a number, little end first; 0 for none. */
    private static long rest(byte[] bytes, int from, int to) {
        long value = 0;
        for (int at = to - 1; at >= from; at--) {
            value = (value << Byte.SIZE) | (bytes[at] & 0xFFL);
        }
        return value;
    }

    private static long scattered(long value) {
        long mixed = (value ^ (value >>> 33)) * 0xff51afd7ed558ccdL;
        mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return mixed ^ (mixed >>> 33);
    }
}
