package dev.tidemark.runtime;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Bounded waits of the calling thread, for command lines and the starting of processes; services use agents. */
public final class Waiting {
    private Waiting() {}

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
}
