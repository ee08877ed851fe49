package dev.tidemark.worker.store;

import java.util.Optional;

/** Where shards are kept. A shard may be opened once at a time. */
public interface ShardStores {
    /**
     * Opens a shard, making it where there is none. It holds the generations that its checkpoint names, and no others.
     *
     * @param origin what a new shard is built from; one that exists keeps its own, which the caller must compare
     * @throws ShardDamagedException when what is there cannot be read
     * @throws NewerShardException when a newer version of the worker wrote what is there
     */
    ShardStore open(ShardId id, ShardOrigin origin);

    /** Removes a shard that is not open, with all it holds. Does nothing where there is none. */
    void drop(ShardId id);

    /**
     * Keeps what a shard holds beside it, to be read while the shard is dropped and built again. Does nothing where
     * something of it is kept already, or there is no such shard.
     */
    void keep(ShardId id);

    /**
     * Opens what is kept of a shard. Nothing is to be written to it.
     *
     * @return empty where nothing is kept, or it is open
     * @throws ShardDamagedException when it cannot be read
     * @throws NewerShardException when a newer version of the worker wrote it
     */
    Optional<ShardStore> kept(ShardId id);

    /** Removes what is kept of a shard and is not open. Does nothing where nothing is. */
    void dropKept(ShardId id);
}
