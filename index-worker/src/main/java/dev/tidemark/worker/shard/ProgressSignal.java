package dev.tidemark.worker.shard;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Wakes threads that wait for progress. A waiting thread checks its condition without the lock, so that an apply thread
 * never waits for a check. It checks again after a signal in the meantime. A signal without listeners costs a volatile
 * read.
 */
public final class ProgressSignal {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition rung = lock.newCondition();
    private final AtomicInteger listeners = new AtomicInteger();
    private final AtomicLong rings = new AtomicLong();

    /** Signals a change to the threads that wait for one. For any thread. */
    public void ring() {
        if (listeners.get() == 0) {
            return;
        }
        lock.lock();
        try {
            rings.incrementAndGet();
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
        listeners.incrementAndGet();
        try {
            long left = patience.toNanos();
            long heard = rings.get();
            while (!condition.getAsBoolean()) {
                if (left <= 0) {
                    return false;
                }
                left = awaitRingAfter(heard, left);
                heard = rings.get();
            }
            return true;
        } finally {
            listeners.decrementAndGet();
        }
    }

    /** Waits for a ring that the caller has not heard; what is left of the time, 0 or less when it is over. */
    private long awaitRingAfter(long heard, long patience) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = patience;
            while (rings.get() == heard && left > 0) {
                left = rung.awaitNanos(left);
            }
            return left;
        } finally {
            lock.unlock();
        }
    }
}
