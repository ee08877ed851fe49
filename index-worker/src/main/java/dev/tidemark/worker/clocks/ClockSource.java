package dev.tidemark.worker.clocks;

import java.time.Clock;
import java.util.Optional;

/** Somebody who can ask the writer for its time. May block for seconds. */
@FunctionalInterface
public interface ClockSource {
    /**
     * Asks once.
     *
     * @param local this process's clock, to be read right before the question and right after the answer
     * @return empty when there is no usable answer
     */
    Optional<ClockReading> ask(Clock local) throws InterruptedException;
}
