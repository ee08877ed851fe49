package dev.tidemark.http;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.util.thread.TryExecutor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of a listener: those of a pool, and among them one at a time that takes turns, so that many answers which come at
 * once wake one thread. For any thread.
 *
 * <p>Once an answer is sent, Jetty asks a thread to look for the connection's next request. Where a turn sent it, that is a turn as
 * well: otherwise each answer would wake a thread of its own, to find that there is nothing yet.
 */
final class ListenerThreads implements TryExecutor {
    private static final Logger LOGGER = LoggerFactory.getLogger(ListenerThreads.class);

    private final TryExecutor pool;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile @Nullable Thread turning;

    ListenerThreads(TryExecutor pool) {
        this.pool = pool;
    }

    /** Runs tasks that do not wait for anything, one after the other. */
    Executor oneByOne() {
        return this::turn;
    }

    @Override
    public void execute(Runnable task) {
        if (task instanceof Connection && turning == Thread.currentThread()) {
            turn(task);
        } else {
            pool.execute(task);
        }
    }

    @Override
    public boolean tryExecute(Runnable task) {
        return pool.tryExecute(task);
    }

    private void turn(Runnable task) {
        tasks.add(task);
        if (waiting.getAndIncrement() == 0) {
            pool.execute(this::run);
        }
    }

    private void run() {
        do {
            Runnable task = tasks.poll();
            if (task != null) {
                run(task);
            }
        } while (waiting.decrementAndGet() > 0);
    }

    private void run(Runnable task) {
        turning = Thread.currentThread();
        try {
            task.run();
        } catch (Throwable e) {
            // No other thread would run the tasks after it.
            LOGGER.error("A task failed; those after it go on", e);
        } finally {
            turning = null;
        }
    }
}
