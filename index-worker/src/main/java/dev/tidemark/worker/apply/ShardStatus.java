package dev.tidemark.worker.apply;

import dev.tidemark.worker.store.ShardCheckpoint;

/**
 * How a shard is doing, as of its last step. Never ahead of what can be read from the shard.
 *
 * @param checkpoint how far it is, in memory; what is on disk may be a few seconds older
 * @param restoring whether it has not yet passed the end that the log had when it was opened
 */
public record ShardStatus(ShardCheckpoint checkpoint, boolean restoring) {}
