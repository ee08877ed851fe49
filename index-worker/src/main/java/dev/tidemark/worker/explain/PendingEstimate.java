package dev.tidemark.worker.explain;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

import dev.tidemark.progress.Progress;
import dev.tidemark.row.RowVersion;

/**
 * What a change that is not applied yet waits for.
 *
 * @param changesBefore at most so many changes of its partition come before it: those that the writer committed, in
 *     whatever table and partition, between the last that is known to be in and this one; empty when that cannot be told
 * @param eta time until then, at most: what the shard takes for all that waits in its partition; empty when nothing is
 *     known to wait there, or nothing is applied, or that is not known
 */
public record PendingEstimate(OptionalLong changesBefore, Optional<Duration> eta) {

    /** Nothing can be told. */
    public static final PendingEstimate UNKNOWN = new PendingEstimate(OptionalLong.empty(), Optional.empty());

    /** What a version waits for in a shard. */
    public static PendingEstimate of(RowVersion version, RowSnapshot sight) {
        return of(version, sight.progress(), sight.eta());
    }

    /**
     * What a version waits for behind some progress.
     *
     * @param eta what the shard takes for all that waits
     */
    public static PendingEstimate of(RowVersion version, Progress progress, Optional<Duration> eta) {
        RowVersion through = progress.through();
        // A shard that has heard nothing has its writer's whole epoch before it, if that is the first one.
        boolean fromTheFirst = through.equals(RowVersion.NONE) && version.epoch() == 1;
        if (!fromTheFirst && through.epoch() != version.epoch()) {
            return UNKNOWN;
        }
        long steps = Math.max(1, version.sequence() - through.sequence());
        return new PendingEstimate(OptionalLong.of(steps - 1), eta);
    }
}
