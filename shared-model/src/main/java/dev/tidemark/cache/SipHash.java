package dev.tidemark.cache;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;

/**
 * SipHash-1-3 (Aumasson and Bernstein), as hash tables use it. The hash depends on a secret, so that no one outside the
 * process can make keys that collide.
 *
 * @param first half of the secret
 * @param second half of the secret
 */
record SipHash(long first, long second) {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int LAST_ROUNDS = 3;

    /** With a secret that nothing but this process knows. */
    static SipHash random() {
        SecureRandom random = new SecureRandom();
        return new SipHash(random.nextLong(), random.nextLong());
    }

    long of(byte[] bytes) {
        State state = new State(first, second);
        int whole = bytes.length & ~(Long.BYTES - 1);
        for (int at = 0; at < whole; at += Long.BYTES) {
            state.add((long) LONG.get(bytes, at));
        }
        // The bytes that are left, and the length above them.
        long last = (long) bytes.length << 56;
        for (int at = whole; at < bytes.length; at++) {
            last |= (bytes[at] & 0xFFL) << (Byte.SIZE * (at - whole));
        }
        state.add(last);
        return state.end();
    }

    private static final class State {
        private long v0;
        private long v1;
        private long v2;
        private long v3;

        State(long first, long second) {
            v0 = first ^ 0x736f6d6570736575L;
            v1 = second ^ 0x646f72616e646f6dL;
            v2 = first ^ 0x6c7967656e657261L;
            v3 = second ^ 0x7465646279746573L;
        }

        void add(long word) {
            v3 ^= word;
            round();
            v0 ^= word;
        }

        long end() {
            v2 ^= 0xFF;
            for (int i = 0; i < LAST_ROUNDS; i++) {
                round();
            }
            return v0 ^ v1 ^ v2 ^ v3;
        }

        private void round() {
            v0 += v1;
            v1 = Long.rotateLeft(v1, 13) ^ v0;
            v0 = Long.rotateLeft(v0, 32);
            v2 += v3;
            v3 = Long.rotateLeft(v3, 16) ^ v2;
            v0 += v3;
            v3 = Long.rotateLeft(v3, 21) ^ v0;
            v2 += v1;
            v1 = Long.rotateLeft(v1, 17) ^ v2;
            v2 = Long.rotateLeft(v2, 32);
        }
    }
}
