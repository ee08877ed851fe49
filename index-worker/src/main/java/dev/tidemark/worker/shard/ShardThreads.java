package dev.tidemark.worker.shard;

import java.util.concurrent.Executor;

/**
 * What shards are opened and closed by, and what takes copies of them. Three, so that shards that wait for their views
 * as they close do not keep others from being opened, and neither do those that are taken from another worker.
 */
public record ShardThreads(Executor opening, Executor closing, Executor copying) {
    /** The thread that asks, which waits: for tests and simulations. */
    public static final ShardThreads CALLER = new ShardThreads(Runnable::run, Runnable::run, Runnable::run);
}
