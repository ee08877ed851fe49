package dev.tidemark.worker.forecast;

import dev.tidemark.digest.EntryDigest;
import dev.tidemark.key.KeyBytes;

/**
 * Selects the rows of a table whose primary key has a hash below a bound. A row is thus in the sample with all its
 * versions or not at all, and a narrower sample is a part of a wider one.
 *
 * @param fraction the part of the rows that is in the sample, above 0 and at most 1
 */
public record HashSample(double fraction) {
    private static final double HASHES = 0x1p53;

    public HashSample {
        if (!(fraction > 0 && fraction <= 1)) {
            throw new IllegalArgumentException("Expected a part above 0 and at most 1, but got " + fraction);
        }
    }

    /** Whether the row of that primary key is in. */
    public boolean holds(KeyBytes primaryKey) {
        long hash = EntryDigest.fingerprint(primaryKey);
        return (hash >>> 11) / HASHES < fraction;
    }

    /** Half of this one. */
    public HashSample narrowed() {
        return new HashSample(fraction / 2);
    }
}
