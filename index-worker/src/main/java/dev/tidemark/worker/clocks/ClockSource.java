package dev.tidemark.worker.clocks;

import java.time.Clock;
import java.util.Optional;

/** Requests the time of the writer. A call may block for seconds. */
@FunctionalInterface
public interface ClockSource {
    /**
     * Sends one request.
     *
     * @param local this process's clock, to be read right before the request and right after the answer
     * @return empty when there is no usable answer
     */
    Optional<ClockReading> ask(Clock local) throws InterruptedException;
}
