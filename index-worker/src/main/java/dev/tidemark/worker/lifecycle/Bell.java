package dev.tidemark.worker.lifecycle;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Wakes those who wait for progress. Ringing after a change and looking under the lock before each wait means that no
 * change is missed; a ring without listeners costs a volatile read.
 */
public final class Bell {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition rung = lock.newCondition();
    private final AtomicInteger listeners = new AtomicInteger();

    /** Something has changed that somebody may wait for. Any thread. */
    public void ring() {
        if (listeners.get() == 0) {
            return;
        }
        lock.lock();
        try {
            rung.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until a condition holds, looking at it after every ring.
     *
     * @return whether it held before the time was over
     */
    public boolean await(BooleanSupplier condition, Duration patience) throws InterruptedException {
        if (condition.getAsBoolean()) {
            return true;
        }
        lock.lockInterruptibly();
        try {
            listeners.incrementAndGet();
            long left = patience.toNanos();
            while (!condition.getAsBoolean()) {
                if (left <= 0) {
                    return false;
                }
                left = rung.awaitNanos(left);
            }
            return true;
        } finally {
            listeners.decrementAndGet();
            lock.unlock();
        }
    }
}
