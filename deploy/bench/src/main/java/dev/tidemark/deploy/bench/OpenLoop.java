package dev.tidemark.deploy.bench;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

import dev.tidemark.runtime.BoundedWait;

/** Keeps to a load: a burst that could not be sent in time is sent late, but stays due when it was. */
public record OpenLoop(Clock clock) {
    private static final Duration RUN_UP = Duration.ofMillis(20);

    /** Sends a burst without waiting for its result. */
    @FunctionalInterface
    public interface Sender {
        /**
         * Sends.
         *
         * @param burst its number, from 0
         * @param due when it was to be sent; every delay counts from here
         */
        void send(int burst, Instant due);
    }

    /** Sends all bursts of a load. */
    public void run(Load load, Sender sender) throws InterruptedException {
        Instant start = clock.instant().plus(RUN_UP);
        for (int burst = 0; burst < load.bursts(); burst++) {
            Instant due = start.plus(load.dueAfter(burst));
            Duration left = Duration.between(clock.instant(), due);
            if (!left.isNegative()) {
                BoundedWait.restExactly(left);
            }
            sender.send(burst, due);
        }
    }
}
