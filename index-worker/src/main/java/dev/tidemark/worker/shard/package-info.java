/**
 * The life of a shard in this process: opened when its partition is assigned, rebuilt when it cannot be trusted, closed
 * when the partition goes.
 *
 * <p>Read in this order: {@link dev.tidemark.worker.shard.OpenShard} (one shard), {@link
 * dev.tidemark.worker.shard.ShardOpener} and {@link dev.tidemark.worker.shard.RebuildPolicy} (when to rebuild), {@link
 * dev.tidemark.worker.shard.Shards} (all of them), {@link dev.tidemark.worker.shard.ProgressSignal} (waiting for
 * progress) and {@link dev.tidemark.worker.shard.WaiterLimit} (by how many at a time).
 *
 * <p>Three kinds of threads meet in a {@code OpenShard}: the poll thread hands over batches and takes the position to
 * read from; one apply thread does everything to the store; any thread reads. A shard that fails is closed, says why,
 * and is opened again after a pause; nothing is ever skipped.
 */
@NullMarked
package dev.tidemark.worker.shard;

import org.jspecify.annotations.NullMarked;
