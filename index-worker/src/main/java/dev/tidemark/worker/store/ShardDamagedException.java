package dev.tidemark.worker.store;

/** What is on disk is not what was written. The shard must be built again. */
public final class ShardDamagedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ShardDamagedException(String message, Throwable cause) {
        super(message, cause);
    }

    public ShardDamagedException(String message) {
        super(message);
    }
}
