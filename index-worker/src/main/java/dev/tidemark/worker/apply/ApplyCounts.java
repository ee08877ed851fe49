package dev.tidemark.worker.apply;

/**
 * What became of the records of a batch.
 *
 * @param applied changes that are in, those that a newer one in the batch replaced included
 * @param stale changes that said nothing new
 * @param quarantined records that could not be applied
 */
public record ApplyCounts(int applied, int stale, int quarantined) {
    static final ApplyCounts NONE = new ApplyCounts(0, 0, 0);

    ApplyCounts plus(ApplyCounts other) {
        return new ApplyCounts(applied + other.applied, stale + other.stale, quarantined + other.quarantined);
    }
}
