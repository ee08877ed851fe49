package dev.tidemark.worker.store;

/** The shard has been closed, or is about to be: this process no longer has the partition, or is reopening it. */
public final class ShardClosedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ShardClosedException(String message) {
        super(message);
    }
}
