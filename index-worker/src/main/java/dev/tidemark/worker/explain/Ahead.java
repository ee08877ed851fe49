package dev.tidemark.worker.explain;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

import dev.tidemark.progress.Progress;
import dev.tidemark.row.RowVersion;

/**
 * What a change that is not applied yet waits for.
 *
 * @param changesBefore at most so many changes of its partition come before it: those that the writer committed, in
 *     whatever table and partition, between the last that is known to be in and this one; empty when that cannot be told
 * @param eta time until then at the pace at which the shard moves on; empty when it does not, or that is not
 *     known
 */
public record Ahead(OptionalLong changesBefore, Optional<Duration> eta) {

    /** Nothing can be told. */
    public static final Ahead UNKNOWN = new Ahead(OptionalLong.empty(), Optional.empty());

    /** What a version waits for in a shard. */
    public static Ahead of(RowVersion version, RowSight sight) {
        return of(version, sight.progress(), sight.pace());
    }

    /**
     * What a version waits for behind some progress.
     *
     * @param pace how many of the writer's versions that progress moves on a second
     */
    public static Ahead of(RowVersion version, Progress progress, OptionalDouble pace) {
        RowVersion through = progress.through();
        // A shard that has heard nothing has its writer's whole epoch before it, if that is the first one.
        boolean fromTheFirst = through.equals(RowVersion.NONE) && version.epoch() == 1;
        if (!fromTheFirst && through.epoch() != version.epoch()) {
            return UNKNOWN;
        }
        long steps = Math.max(1, version.sequence() - through.sequence());
        boolean moving = pace.orElse(0) > 0;
        return new Ahead(
                OptionalLong.of(steps - 1),
                moving
                        ? Optional.of(Duration.ofMillis((long) (1_000 * steps / pace.getAsDouble())))
                        : Optional.empty());
    }
}
