package dev.tidemark.worker.shard;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.worker.apply.ShardStatus;
import dev.tidemark.worker.store.ShardClosedException;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardOrigin;

/**
 * What answers for a shard while it is built again. The apply thread changes it, or a task of its
 * {@link ShardStoreHandle}, never both at a time. Any thread reads.
 */
final class Predecessor {
    private static final Logger LOGGER = LoggerFactory.getLogger(Predecessor.class);

    private final ShardId id;
    private final ShardOpener opener;
    private final Executor closing;
    private final ProgressSignal progress;
    private volatile @Nullable KeptShard kept;

    private volatile CompletableFuture<Void> dropped = CompletableFuture.completedFuture(null);

    /** The opening of the shard that was tried to be kept last. */
    private Optional<ShardOpener.Opened> tried = Optional.empty();

    /**
     * None yet.
     *
     * @param closing runs what waits for readers
     * @param progress rung when it answers
     */
    Predecessor(ShardId id, ShardOpener opener, Executor closing, ProgressSignal progress) {
        this.id = id;
        this.opener = opener;
        this.closing = closing;
        this.progress = progress;
    }

    /** Whether it answers. */
    boolean isHere() {
        return kept != null;
    }

    /** Whether its files are in use here. */
    boolean isOpen() {
        return kept != null || !dropped.isDone();
    }

    /** How it is doing; empty where there is none. */
    Optional<ShardStatus> status() {
        return Optional.ofNullable(kept).map(KeptShard::status);
    }

    /** A view of it; empty where there is none. */
    Optional<OpenShard.ShardSnapshot> read() {
        KeptShard present = kept;
        try {
            return Optional.ofNullable(present).map(KeptShard::read);
        } catch (ShardClosedException e) {
            // It gave way a moment ago.
            return Optional.empty();
        }
    }

    /**
     * It answers no more where it may be what is wrong.
     *
     * @param why the shard is built again; null where it is not
     */
    void endIfWrong(RebuildPolicy.@Nullable Rebuild why) {
        if (why != null && why.wrong()) {
            drop();
        }
    }

    /**
     * Begins to keep what a shard is that is to be built again, unless it is wrong, or that was tried since the shard
     * was opened.
     *
     * @param why it is built again; null where it is not
     */
    boolean isKeptFirst(ShardStoreHandle handle, RebuildPolicy.@Nullable Rebuild why, ShardOpener.Opened current) {
        if (why == null || why.wrong() || kept != null || tried.equals(Optional.of(current))) {
            return false;
        }
        tried = Optional.of(current);
        handle.ask(() -> opener.keep(id, current).ifPresent(this::begin));
        return true;
    }

    /** It answers from now on. */
    void begin(KeptShard found) {
        LOGGER.info("What shard {} was answers while it is built again", id);
        kept = found;
        progress.ring();
    }

    /** It answers no more where the shard is built from another topic now, or for another table. */
    void endUnlessFrom(ShardOrigin origin) {
        KeptShard present = kept;
        if (present != null && !present.isFrom(origin)) {
            drop();
        }
    }

    /** Gives way to the shard that was built, where that has passed it; whether it did. */
    boolean givesWayTo(ShardStatus built) {
        KeptShard present = kept;
        if (present == null || !present.isPassedBy(built)) {
            return false;
        }
        LOGGER.info("Shard {} has passed what it was, and answers itself", id);
        drop();
        return true;
    }

    /** It answers no more, and its files go once it is closed. */
    private void drop() {
        KeptShard present = kept;
        kept = null;
        if (present != null) {
            CompletableFuture<Void> gone = new CompletableFuture<>();
            dropped = gone;
            closing.execute(() -> {
                try {
                    present.close();
                    opener.stores().dropKept(id);
                } catch (RuntimeException e) {
                    LOGGER.warn("The files of what shard {} was stay where they are", id, e);
                } finally {
                    gone.complete(null);
                }
            });
        }
    }

    /** It answers no more here. Its files stay for the next process that opens the shard. Waits for its readers. */
    void close() {
        KeptShard present = kept;
        kept = null;
        if (present != null) {
            present.close();
        }
        dropped.join();
    }
}
