package dev.tidemark.digest;

import java.nio.ByteBuffer;
import java.util.Arrays;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;

/** What of an index entry goes into a digest. Frozen: digests are on disk. */
public final class EntryDigest {
    private EntryDigest() {}

    /**
     * Sixty-four bits that stand for what an entry carries, so that a change of it is noticed without keeping it.
     *
     * @param carried as it is stored beside the entry key; empty for a reference
     */
    public static long fingerprint(KeyBytes carried) {
        return carried.length() == 0 ? 0 : Digest.ofMember(carried.array()).high();
    }

    /**
     * The digest of an entry as it can be seen in the index: its key and what it carries.
     *
     * @param key whole entry key, primary key included
     * @param fingerprint of what it carries
     */
    public static Digest ofContent(KeyBytes key, long fingerprint) {
        return Digest.ofMember(extended(key, Long.BYTES).putLong(fingerprint).array());
    }

    /**
     * The digest of an entry and the version of its row.
     *
     * @param key whole entry key, primary key included
     * @param fingerprint of what it carries
     * @param version of the row that the entry was derived from
     */
    public static Digest ofEntry(KeyBytes key, long fingerprint, RowVersion version) {
        return Digest.ofMember(extended(key, 3 * Long.BYTES)
                .putLong(fingerprint)
                .putLong(version.epoch())
                .putLong(version.sequence())
                .array());
    }

    /** Returns a buffer with the key, positioned after it, and with room for {@code more} bytes. */
    private static ByteBuffer extended(KeyBytes key, int more) {
        return ByteBuffer.wrap(Arrays.copyOf(key.array(), key.length() + more)).position(key.length());
    }
}
