package dev.tidemark.worker.apply;

import java.time.Instant;

import dev.tidemark.row.RowVersion;

/**
 * What comparing a shard's digest of a generation with that of its table came to, at the latest mark of the writer.
 *
 * @param at the mark: the shard had every change up to this one, and none after it
 * @param asOf the same as a time, by the writer's clock
 * @param differing at how many marks in a row up to this one they differed; 0 when they are equal
 */
public record DigestFinding(RowVersion at, Instant asOf, int differing) {
    /** Marks in a row after which a difference is taken for sure. */
    private static final int SURE = 2;

    public boolean isEqual() {
        return differing == 0;
    }

    /** Whether they differ, and not for the first time. */
    public boolean isSurelyDifferent() {
        return differing >= SURE;
    }
}
