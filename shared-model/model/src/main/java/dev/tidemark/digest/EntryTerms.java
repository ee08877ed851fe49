package dev.tidemark.digest;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.tidemark.index.DerivedEntries;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;

/**
 * What one row gives to the digest of one generation of an index, but for its version, which is known last.
 *
 * @param keys whole entry keys; none where the index leaves the row out or cannot hold it
 * @param fingerprint of what each entry carries
 */
public record EntryTerms(List<KeyBytes> keys, long fingerprint) {
    /** A row without entries. */
    public static final EntryTerms NONE = new EntryTerms(List.of(), 0);

    /** Objects around a key, and around all of them. */
    private static final long OBJECT_BYTES = 64;

    public EntryTerms {
        keys = List.copyOf(keys);
    }

    /** What derived entries give. */
    public static EntryTerms of(DerivedEntries entries) {
        KeyBytes carried = entries.carried() == null
                ? KeyBytes.EMPTY
                : KeyBytes.wrap(entries.carried().bytes());
        return new EntryTerms(entries.keys(), EntryDigest.fingerprint(carried));
    }

    /** Bytes of heap that it takes, about. */
    public long bytes() {
        return OBJECT_BYTES
                + keys.stream().mapToLong(key -> OBJECT_BYTES + key.length()).sum();
    }

    /** The digests of the entries by the partition of a global index that has them. */
    public Map<Integer, Digest> at(RowVersion version, IndexDefinition index) {
        Map<Integer, Digest> sums = new HashMap<>();
        for (KeyBytes key : keys) {
            sums.merge(index.partitionOf(key), EntryDigest.ofEntry(key, fingerprint, version), Digest::plus);
        }
        return sums;
    }

    /** The digest of the entries, as those of a row of that version. */
    public Digest at(RowVersion version) {
        Digest sum = Digest.EMPTY;
        for (KeyBytes key : keys) {
            sum = sum.plus(EntryDigest.ofEntry(key, fingerprint, version));
        }
        return sum;
    }
}
