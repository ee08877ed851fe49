package dev.tidemark.worker.apply;

/**
 * What became of the records of a batch.
 *
 * @param applied changes that are in, those that a newer one in the batch replaced included
 * @param stale changes that said nothing new
 * @param quarantined records that could not be applied
 */
public record Counts(int applied, int stale, int quarantined) {
    static final Counts NONE = new Counts(0, 0, 0);

    Counts plus(Counts other) {
        return new Counts(applied + other.applied, stale + other.stale, quarantined + other.quarantined);
    }
}
