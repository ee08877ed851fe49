package dev.tidemark.worker.store;

import dev.tidemark.digest.Digest;
import dev.tidemark.digest.EntryDigest;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.worker.store.RowState.Entries;

/**
 * What a shard holds of one generation of an index, in figures that are kept with every change.
 *
 * @param entries index entries
 * @param rows rows of the table that have been derived for it, those without an entry included
 * @param refused rows that it cannot hold
 * @param entriesDigest digest of the entries with the versions of their rows, by the row states
 * @param contentDigest digest of the entries alone, which a walk over them gives too
 */
public record GenerationStats(long entries, long rows, long refused, Digest entriesDigest, Digest contentDigest) {
    /** Nothing yet. */
    public static final GenerationStats NONE = new GenerationStats(0, 0, 0, Digest.EMPTY, Digest.EMPTY);

    /** The part of one row in the figures of a generation, by its state alone. */
    public static GenerationStats of(KeyBytes primaryKey, RowState row, long generation) {
        Entries entries = row.entries().get(generation);
        if (entries == null) {
            return NONE;
        }
        Digest ofEntries = Digest.EMPTY;
        Digest ofContent = Digest.EMPTY;
        for (KeyBytes key : entries.keys()) {
            KeyBytes whole = key.concat(primaryKey);
            ofEntries = ofEntries.plus(EntryDigest.ofEntry(whole, entries.fingerprint(), row.version()));
            ofContent = ofContent.plus(EntryDigest.ofContent(whole, entries.fingerprint()));
        }
        return new GenerationStats(
                entries.keys().size(), 1, entries.refusal().isPresent() ? 1 : 0, ofEntries, ofContent);
    }

    /** Both together. */
    public GenerationStats plus(GenerationStats other) {
        return new GenerationStats(
                entries + other.entries,
                rows + other.rows,
                refused + other.refused,
                entriesDigest.plus(other.entriesDigest),
                contentDigest.plus(other.contentDigest));
    }

    /** What is left when the other, which must be part of this, is taken away. */
    public GenerationStats minus(GenerationStats other) {
        return new GenerationStats(
                entries - other.entries,
                rows - other.rows,
                refused - other.refused,
                entriesDigest.minus(other.entriesDigest),
                contentDigest.minus(other.contentDigest));
    }
}
