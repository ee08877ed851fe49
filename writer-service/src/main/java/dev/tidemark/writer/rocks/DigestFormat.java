package dev.tidemark.writer.rocks;

import java.nio.ByteBuffer;

import dev.tidemark.digest.Digest;
import dev.tidemark.writer.commit.DigestKey;

/** Digests of the tables as entries of {@link WriterTable#META}. */
final class DigestFormat {
    private DigestFormat() {}

    static byte[] key(DigestKey key) {
        return ByteBuffer.allocate(MetaKeys.DIGEST_PREFIX.length + Long.BYTES + Integer.BYTES)
                .put(MetaKeys.DIGEST_PREFIX)
                .putLong(key.generation())
                .putInt(key.partition())
                .array();
    }

    static DigestKey key(byte[] key) {
        ByteBuffer in = ByteBuffer.wrap(key).position(MetaKeys.DIGEST_PREFIX.length);
        return new DigestKey(in.getLong(), in.getInt());
    }

    static byte[] value(Digest digest) {
        return ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(digest.high())
                .putLong(digest.low())
                .array();
    }

    static Digest digest(byte[] value) {
        ByteBuffer in = ByteBuffer.wrap(value);
        return new Digest(in.getLong(), in.getLong());
    }
}
