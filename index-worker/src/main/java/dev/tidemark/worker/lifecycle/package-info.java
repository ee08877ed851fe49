/**
 * The life of a shard in this process: opened when its partition is assigned, rebuilt when it cannot be trusted, closed
 * when the partition goes.
 *
 * <p>Read in this order: {@link dev.tidemark.worker.lifecycle.LiveShard} (one shard), {@link
 * dev.tidemark.worker.lifecycle.ShardOpener} and {@link dev.tidemark.worker.lifecycle.Trust} (when to rebuild), {@link
 * dev.tidemark.worker.lifecycle.Shards} (all of them), {@link dev.tidemark.worker.lifecycle.Bell} (waiting for
 * progress) and {@link dev.tidemark.worker.lifecycle.WaitingRoom} (by how many at a time).
 *
 * <p>Three kinds of threads meet in a {@code LiveShard}: the poll thread hands over batches and takes the position to
 * read from; one apply thread does everything to the store; any thread reads. A shard that fails is closed, says why, and
 * is opened again after a pause; nothing is ever skipped.
 */
@NullMarked
package dev.tidemark.worker.lifecycle;

import org.jspecify.annotations.NullMarked;
