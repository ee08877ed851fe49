package dev.tidemark.worker.explain;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

import dev.tidemark.progress.Progress;
import dev.tidemark.row.RowVersion;

/**
 * What a change that is not applied yet waits for.
 *
 * @param changesBefore an upper bound of the number of changes before it in its partition. It counts the changes that
 *     the writer committed, in any table and partition, after the last one known to be applied and before this one.
 *     Empty when it is unknown
 * @param eta an upper bound of the time until the change is applied: the time in which the shard applies all records
 *     that wait in its partition. Empty when no records are known to wait, when nothing is applied, or when the time is
 *     unknown
 */
public record PendingEstimate(OptionalLong changesBefore, Optional<Duration> eta) {

    /** No estimate is possible. */
    public static final PendingEstimate UNKNOWN = new PendingEstimate(OptionalLong.empty(), Optional.empty());

    /**
     * What a version waits for behind some progress.
     *
     * @param eta the time in which the shard applies all records that wait
     */
    public static PendingEstimate of(RowVersion version, Progress progress, Optional<Duration> eta) {
        RowVersion through = progress.through();
        // A shard without progress has the whole epoch of the writer before it, if that is the first epoch.
        boolean fromTheFirst = through.equals(RowVersion.NONE) && version.epoch() == 1;
        if (!fromTheFirst && through.epoch() != version.epoch()) {
            return UNKNOWN;
        }
        long steps = Math.max(1, version.sequence() - through.sequence());
        return new PendingEstimate(OptionalLong.of(steps - 1), eta);
    }
}
