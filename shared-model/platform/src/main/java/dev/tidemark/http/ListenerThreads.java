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
 * The threads of a listener: a pool, of which one thread at a time runs tasks in turn. Many answers that come at once
 * therefore wake one thread. For any thread.
 *
 * <p>Once an answer is sent, Jetty has a thread look for the connection's next request. If a turn sent the answer, that
 * look is a turn as well. Otherwise each answer would wake another thread, which finds no request yet.
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
