package dev.tidemark.worker.verify;

import java.util.BitSet;

import dev.tidemark.digest.Digest;
import dev.tidemark.key.KeyBytes;

/**
 * Digests of entries, in buckets by the primary key of their row. Entries of one side are added, and entries of the
 * other side are removed. A bucket is zero where the sides are equal, in any order of the entries.
 */
final class DigestBuckets {
    /** Number of bits for the fewest buckets, 4,096. */
    static final int FEWEST_BITS = 12;

    private static final int MOST_BITS = 20;
    private static final int ROWS_PER_BUCKET = 64;
    private static final int SCATTER = 0x9E3779B9;

    private final int bits;
    private final long[] high;
    private final long[] low;

    /** Returns the number of bits that selects a bucket for this number of rows: from 4,096 to 1,048,576 buckets. */
    static int bits(long rows) {
        int wanted = Long.SIZE - Long.numberOfLeadingZeros(Math.max(1, rows / ROWS_PER_BUCKET));
        return Math.max(FEWEST_BITS, Math.min(MOST_BITS, wanted));
    }

    /** Returns the heap, in bytes, of the buckets that this number of bits selects. */
    static long bytes(int bits) {
        return (2L * Long.BYTES) << bits;
    }

    /** Creates the buckets that this number of bits selects, all zero. */
    DigestBuckets(int bits) {
        this.bits = bits;
        this.high = new long[1 << bits];
        this.low = new long[1 << bits];
    }

    int of(KeyBytes primaryKey) {
        return (primaryKey.hashCode() * SCATTER) >>> (Integer.SIZE - bits);
    }

    /**
     * One of some parts of the rows, whichever buckets they are in.
     *
     * @param parts a power of two
     */
    static int part(KeyBytes primaryKey, int parts) {
        return (primaryKey.hashCode() * SCATTER) & (parts - 1);
    }

    void add(KeyBytes primaryKey, Digest digest) {
        int bucket = of(primaryKey);
        high[bucket] += digest.high();
        low[bucket] += digest.low();
    }

    void remove(KeyBytes primaryKey, Digest digest) {
        int bucket = of(primaryKey);
        high[bucket] -= digest.high();
        low[bucket] -= digest.low();
    }

    /** The buckets in which the sides differ. */
    BitSet uneven() {
        BitSet uneven = new BitSet();
        for (int bucket = 0; bucket < high.length; bucket++) {
            if ((high[bucket] | low[bucket]) != 0) {
                uneven.set(bucket);
            }
        }
        return uneven;
    }
}
