package dev.tidemark.http;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs tasks one after the other by threads of a pool: many that come at once wake one thread. For any thread. */
final class Turns implements Executor {
    private static final Logger LOGGER = LoggerFactory.getLogger(Turns.class);

    private final Executor pool;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();

    Turns(Executor pool) {
        this.pool = pool;
    }

    @Override
    public void execute(Runnable task) {
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

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOGGER.error("A task failed; those after it go on", e);
        }
    }
}
