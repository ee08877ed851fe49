/**
 * Building generations of indexes while changes go on.
 *
 * <p>Read in this order: {@link dev.tidemark.worker.backfill.BackfillAgent} (reads the change topic again and hands rows to the
 * shards), {@link dev.tidemark.worker.backfill.BackfillSource} (from where), {@link dev.tidemark.worker.backfill.Throttle} (how fast),
 * {@link dev.tidemark.worker.backfill.BuildMeter} (how far it is), {@link dev.tidemark.worker.backfill.GenerationCleanupAgent} (when the
 * generation before may go).
 *
 * <p>Each agent has a thread of its own and none writes to a shard: what it read goes to the apply thread as an errand. A
 * failure of the brokers ends a reading, which begins again a moment later from what the shards have stored.
 */
@NullMarked
package dev.tidemark.worker.backfill;

import org.jspecify.annotations.NullMarked;
