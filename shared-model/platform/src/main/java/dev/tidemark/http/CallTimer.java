package dev.tidemark.http;

import java.time.Duration;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.eclipse.jetty.io.CyclicTimeouts;
import org.eclipse.jetty.util.thread.Scheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs what is to be done where an answer does not come soon. Nearly all of it is cancelled, so its thread waits for
 * the earliest alone, and is not woken for each. For any thread.
 */
final class CallTimer extends CyclicTimeouts<CallTimer.Pending> {
    private static final Logger LOGGER = LoggerFactory.getLogger(CallTimer.class);

    private final Set<Pending> pending = ConcurrentHashMap.newKeySet();

    /** What is to be done, compared by identity. */
    static final class Pending implements CyclicTimeouts.Expirable {
        private final long due;
        private final Runnable task;

        Pending(Duration time, Runnable task) {
            this.due = CyclicTimeouts.Expirable.calcExpireNanoTime(Math.max(1, time.toMillis()));
            this.task = task;
        }

        @Override
        public long getExpireNanoTime() {
            return due;
        }
    }

    CallTimer(Scheduler scheduler) {
        super(scheduler);
    }

    /** Runs a task after that time, on its thread; what is returned cancels it. */
    Runnable after(Duration time, Runnable task) {
        Pending one = new Pending(time, task);
        pending.add(one);
        schedule(one);
        return () -> pending.remove(one);
    }

    @Override
    protected Iterator<Pending> iterator() {
        return pending.iterator();
    }

    @Override
    protected boolean onExpired(Pending one) {
        try {
            one.task.run();
        } catch (RuntimeException e) {
            LOGGER.error("A task failed; those after it go on", e);
        }
        return true;
    }
}
