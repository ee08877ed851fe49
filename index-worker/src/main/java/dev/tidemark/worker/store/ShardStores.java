package dev.tidemark.worker.store;

/** Where shards are kept. A shard may be opened once at a time. */
public interface ShardStores {
    /**
     * Opens a shard, making it where there is none. It holds the generations that its checkpoint names, and no others.
     *
     * @param origin what a new shard is built from; one that exists keeps its own, which the caller must compare
     * @throws ShardDamagedException when what is there cannot be read
     */
    ShardStore open(ShardId id, ShardOrigin origin);

    /** Removes a shard that is not open, with all it holds. Does nothing where there is none. */
    void drop(ShardId id);
}
