package dev.tidemark.worker.store;

import java.time.Instant;
import java.util.Optional;

/**
 * What is left on disk of a shard that is not open.
 *
 * @param name names it among the others
 * @param shard the shard; empty for what an interrupted removal has left
 * @param bytes size of its files
 * @param lastWritten when the newest of them was written
 */
public record Leftover(String name, Optional<ShardId> shard, long bytes, Instant lastWritten) {}
