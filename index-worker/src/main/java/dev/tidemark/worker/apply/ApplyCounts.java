package dev.tidemark.worker.apply;

/**
 * The number of records of a batch, by result.
 *
 * @param applied changes that were applied, including those that a newer change in the batch replaced
 * @param stale changes that added nothing to the state of their row
 * @param quarantined records that could not be applied
 */
public record ApplyCounts(int applied, int stale, int quarantined) {
    static final ApplyCounts NONE = new ApplyCounts(0, 0, 0);

    ApplyCounts plus(ApplyCounts other) {
        return new ApplyCounts(applied + other.applied, stale + other.stale, quarantined + other.quarantined);
    }
}
