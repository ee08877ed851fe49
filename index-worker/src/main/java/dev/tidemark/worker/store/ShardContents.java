package dev.tidemark.worker.store;

/** What the files of a shard hold: what it was built from, and how far it is. */
public record ShardContents(ShardOrigin origin, ShardCheckpoint checkpoint) {}
