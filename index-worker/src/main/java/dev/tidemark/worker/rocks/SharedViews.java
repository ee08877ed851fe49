package dev.tidemark.worker.rocks;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.tidemark.rocks.RocksView;
import dev.tidemark.rocks.StoreClosedException;
import dev.tidemark.worker.store.ShardCheckpoint;

/**
 * The view of a shard that readers share until something is committed: to open one, and to read from it how far the
 * shard is, takes as long as a short scan. For any thread; each call holds the lock for a few instructions, or to open
 * a view.
 */
final class SharedViews {
    private final Supplier<RocksView> opener;
    private final Supplier<RowVersions.Moment> moments;
    private final ShardTables tables;
    private @Nullable Shared current;
    private boolean closed;

    /** A view with its users, the owner of these among them while it is the current one. */
    static final class Shared {
        final RocksView view;
        final ShardCheckpoint checkpoint;
        final RowVersions.Moment moment;
        private int users = 1;

        private Shared(RocksView view, ShardCheckpoint checkpoint, RowVersions.Moment moment) {
            this.view = view;
            this.checkpoint = checkpoint;
            this.moment = moment;
        }
    }

    /**
     * Creates the holder without a view.
     *
     * @param moments returns the state of the commits, before a view is opened
     */
    SharedViews(Supplier<RocksView> opener, Supplier<RowVersions.Moment> moments, ShardTables tables) {
        this.opener = opener;
        this.moments = moments;
        this.tables = tables;
    }

    /**
     * A view that holds at least everything that was committed before; to be given back.
     *
     * @throws StoreClosedException when the database is closed
     */
    synchronized Shared take() {
        if (closed) {
            return open();
        }
        if (current == null) {
            current = open();
        }
        current.users++;
        return current;
    }

    /** Gives a view back. */
    synchronized void giveBack(Shared view) {
        view.users--;
        if (view.users == 0) {
            view.view.close();
        }
    }

    /** Drops the current view after a commit, so that every view taken from now on contains the commit. */
    synchronized void renew() {
        if (current != null) {
            giveBack(current);
        }
        current = null;
    }

    /** No more views are kept; those that are out are closed as they are given back. */
    synchronized void close() {
        closed = true;
        renew();
    }

    private Shared open() {
        RowVersions.Moment moment = moments.get();
        RocksView view = opener.get();
        try {
            ShardCheckpoint checkpoint = RocksShardStore.checkpoint(view.get(tables.meta, ShardTables.CHECKPOINT_KEY));
            return new Shared(view, checkpoint, moment);
        } catch (RuntimeException e) {
            view.close();
            throw e;
        }
    }
}
