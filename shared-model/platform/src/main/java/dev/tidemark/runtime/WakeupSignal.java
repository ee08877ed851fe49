package dev.tidemark.runtime;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Ends the rest of one thread early. A ring that comes while the thread works ends its next rest at once, so none is
 * missed; many rings before a rest count as one or a few.
 */
public final class WakeupSignal {
    private final Semaphore rings = new Semaphore(0);

    /** There is something to do. Any thread. */
    public void ring() {
        if (rings.availablePermits() == 0) {
            rings.release();
        }
    }

    /** Waits for a signal, up to the timeout. Only the thread that is woken calls this. */
    public void rest(Duration atMost) throws InterruptedException {
        if (rings.tryAcquire(atMost.toNanos(), TimeUnit.NANOSECONDS)) {
            rings.drainPermits();
        }
    }
}
