package dev.tidemark.worker.shard;

import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.worker.store.ShardId;

/**
 * Opens and closes the store of one shard, one after the other and away from the apply thread, which goes on with other
 * shards meanwhile: brokers may be slow to answer, a directory large to remove, and a view long in use. The apply
 * thread calls every method.
 */
final class ShardStoreHandle {
    private static final Logger LOGGER = LoggerFactory.getLogger(ShardStoreHandle.class);

    private final ShardId id;
    private final ShardThreads threads;
    private final ProgressSignal work;
    private volatile boolean busy;
    private volatile @Nullable Outcome outcome;

    /**
     * The result of the last task.
     *
     * @param opened the shard, when the task opened it
     * @param failure why the shard could not be opened, or why the query to the brokers failed
     */
    record Outcome(Optional<ShardOpener.Opened> opened, Optional<Throwable> failure) {
        /**
         * The shard, where it was to be opened.
         *
         * @throws RuntimeException why it could not be opened
         */
        Optional<ShardOpener.Opened> result() {
            failure.ifPresent(why -> {
                throw why instanceof RuntimeException usual
                        ? usual
                        : new IllegalStateException("The shard could not be opened", why);
            });
            return opened;
        }
    }

    /**
     * A handle of a shard that is closed.
     *
     * @param work rung when a task has ended
     */
    ShardStoreHandle(ShardId id, ShardThreads threads, ProgressSignal work) {
        this.id = id;
        this.threads = threads;
        this.work = work;
    }

    /** Whether a task is under way, which must end before the next. */
    boolean isBusy() {
        return busy;
    }

    /** Whether a task has ended of which nothing was taken yet. */
    boolean hasOutcome() {
        return outcome != null;
    }

    /** Returns the result of the last task, and clears it. */
    Optional<Outcome> take() {
        Optional<Outcome> last = Optional.ofNullable(outcome);
        outcome = null;
        return last;
    }

    /**
     * Begins to open the shard.
     *
     * @param first opens it, or says that a copy is worth looking for
     * @param fetching looks for a copy, as long as that takes
     * @param last opens it with what is there then
     */
    void open(
            Supplier<ShardOpener.Attempt> first,
            Consumer<ShardOpener.Lacking> fetching,
            Supplier<ShardOpener.Opened> last) {
        begin(threads.opening(), () -> {
            ShardOpener.Attempt attempt = first.get();
            if (attempt instanceof ShardOpener.Lacking lacking) {
                begin(threads.copying(), () -> {
                    fetching.accept(lacking);
                    begin(threads.opening(), () -> end(last.get()));
                });
            } else {
                end((ShardOpener.Opened) attempt);
            }
        });
    }

    /**
     * Begins to ask the brokers something, which leaves the shard as it is; it ends in a failure where the answer is
     * no.
     */
    void ask(Runnable question) {
        begin(threads.opening(), () -> {
            question.run();
            end(new Outcome(Optional.empty(), Optional.empty()));
        });
    }

    private void begin(Executor thread, Runnable task) {
        busy = true;
        thread.execute(() -> {
            try {
                task.run();
            } catch (RuntimeException e) {
                end(new Outcome(Optional.empty(), Optional.of(e)));
            } catch (Error e) {
                // The shard's thread reports it; what guards this thread must see it, too.
                end(new Outcome(Optional.empty(), Optional.of(e)));
                throw e;
            }
        });
    }

    /**
     * Begins to close the shard, which waits for its views.
     *
     * @param persists whether it is in order, so that what it has in memory only is stored
     */
    void close(ShardOpener.Opened shard, boolean persists) {
        busy = true;
        threads.closing().execute(() -> {
            try {
                if (persists) {
                    attempt(() -> shard.applier().persist());
                }
                attempt(() -> shard.store().close());
            } finally {
                end(new Outcome(Optional.empty(), Optional.empty()));
            }
        });
    }

    private void attempt(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            // What was stored before is right, and the next opening begins there.
            LOGGER.warn("Shard {} failed as it was closed", id, e);
        }
    }

    private void end(ShardOpener.Opened opened) {
        end(new Outcome(Optional.of(opened), Optional.empty()));
    }

    private void end(Outcome with) {
        outcome = with;
        busy = false;
        work.ring();
    }
}
