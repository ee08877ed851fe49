/**
 * Builds generations of indexes while changes go on.
 *
 * <p>Read in this order: {@link dev.tidemark.worker.backfill.BackfillAgent} (reads the change topic again and passes
 * rows to the shards), {@link dev.tidemark.worker.backfill.BackfillSource} (from where),
 * {@link dev.tidemark.worker.backfill.Throttle} (how fast), {@link dev.tidemark.worker.backfill.BuildMeter} (the
 * progress), {@link dev.tidemark.worker.backfill.GenerationCleanupAgent} (when the previous generation may be removed).
 *
 * <p>Each agent has its own thread, and none writes to a shard: it passes the rows that it read to the apply thread as
 * a task. When the brokers fail, the reading ends. It begins again a moment later from the state that the shards have
 * stored.
 */
@NullMarked
package dev.tidemark.worker.backfill;

import org.jspecify.annotations.NullMarked;
