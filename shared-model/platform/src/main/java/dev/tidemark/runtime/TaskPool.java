package dev.tidemark.runtime;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A few threads that do tasks which may take long, in the order in which they were given. Threads end while there is
 * nothing to do.
 */
public final class TaskPool implements Executor, AutoCloseable {
    private static final Duration IDLE = Duration.ofSeconds(10);

    private final Duration patience;
    private final ThreadPoolExecutor threads;

    /**
     * A pool without threads yet.
     *
     * @param name of its threads, followed by a number
     * @param size most threads at a time
     * @param patience how long {@link #close} waits for tasks before it interrupts them, and once more after that
     */
    public TaskPool(String name, int size, Duration patience) {
        this.patience = patience;
        AtomicInteger made = new AtomicInteger();
        this.threads = new ThreadPoolExecutor(
                size,
                size,
                IDLE.toMillis(),
                TimeUnit.MILLISECONDS,
                new LinkedBlockingQueue<>(),
                task -> new Thread(task, name + "-" + made.incrementAndGet()));
        threads.allowCoreThreadTimeOut(true);
    }

    @Override
    public void execute(Runnable task) {
        threads.execute(task);
    }

    /** Takes no more tasks and lets those that were given end. */
    @Override
    public void close() {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                threads.shutdownNow();
                threads.awaitTermination(patience.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            threads.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
