/**
 * Shards that one worker takes from another as files, instead of reading a change topic from its beginning.
 *
 * <p>Read in this order: {@link dev.tidemark.worker.copy.HeldCopies} (a worker that has the shard),
 * {@link dev.tidemark.worker.copy.ShardTaker} (a worker that becomes its owner) and
 * {@link dev.tidemark.worker.copy.CopyHolders} (the way between them). {@link dev.tidemark.worker.copy.CopyMeter} has
 * how far each is.
 *
 * <p>A copy is only a shorter way to what the topic says. Where anything about it is in doubt, the topic is read.
 */
@NullMarked
package dev.tidemark.worker.copy;

import org.jspecify.annotations.NullMarked;
