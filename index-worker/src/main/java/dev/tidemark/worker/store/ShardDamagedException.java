package dev.tidemark.worker.store;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

/** What is on disk is not what was written. The shard must be built again. */
public final class ShardDamagedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient @Nullable ShardId shard;

    public ShardDamagedException(String message, Throwable cause) {
        this(message, cause, null);
    }

    public ShardDamagedException(String message) {
        this(message, null, null);
    }

    private ShardDamagedException(String message, @Nullable Throwable cause, @Nullable ShardId shard) {
        super(message, cause);
        this.shard = shard;
    }

    /** The same, known to be of a shard. */
    public ShardDamagedException in(ShardId damaged) {
        return shard == null ? new ShardDamagedException(String.valueOf(getMessage()), this, damaged) : this;
    }

    /** Returns the damaged shard; empty when the code that found the damage does not know the shard. */
    public Optional<ShardId> shard() {
        return Optional.ofNullable(shard);
    }
}
