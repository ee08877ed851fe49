package dev.tidemark.runtime;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Bounded waits of the calling thread, for command lines and the starting of processes; services use agents. */
public final class BoundedWait {
    private BoundedWait() {}

    /**
     * Asks until the answer is yes, or the patience is over. Asks at least once, and once more at the end.
     *
     * @param step how long to rest between two questions
     * @return whether the answer was yes
     */
    public static boolean until(BooleanSupplier condition, Duration patience, Duration step)
            throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline >= 0) {
                return condition.getAsBoolean();
            }
            rest(step);
        }
        return true;
    }

    /** Does nothing for that long. */
    public static void rest(Duration time) throws InterruptedException {
        Thread.sleep(time.toMillis());
    }

    /** Does nothing for that long, to within some tens of microseconds; {@link #rest} knows milliseconds only. */
    public static void restExactly(Duration time) throws InterruptedException {
        long deadline = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = deadline - System.nanoTime()) {
            LockSupport.parkNanos(left);
            if (Thread.interrupted()) {
                throw new InterruptedException("interrupted while resting");
            }
        }
    }
}
