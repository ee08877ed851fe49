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
 * @param eta time until the shard is expected to have caught up; empty when that cannot be told
 */
public record Ahead(OptionalLong changesBefore, Optional<Duration> eta) {

    /** Nothing can be told. */
    public static final Ahead UNKNOWN = new Ahead(OptionalLong.empty(), Optional.empty());

    /** What a version waits for in a shard. */
    public static Ahead of(RowVersion version, RowSight sight) {
        return of(version, sight.progress(), Optional.empty());
    }

    /** What a version waits for behind some progress. */
    public static Ahead of(RowVersion version, Progress progress, Optional<Duration> eta) {
        RowVersion through = progress.through();
        // A shard that has heard nothing has its writer's whole epoch before it, if that is the first one.
        boolean fromTheFirst = through.equals(RowVersion.NONE) && version.epoch() == 1;
        boolean sameEpoch = fromTheFirst || through.epoch() == version.epoch();
        return new Ahead(
                sameEpoch
                        ? OptionalLong.of(Math.max(0, version.sequence() - through.sequence() - 1))
                        : OptionalLong.empty(),
                eta);
    }
}
