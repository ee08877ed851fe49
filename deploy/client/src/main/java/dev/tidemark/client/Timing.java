package dev.tidemark.client;

import java.time.Duration;
import java.time.Instant;

/** Time and chance, for retries. */
interface Timing {
    /** Nanoseconds since a fixed moment. */
    long nanos();

    Instant now();

    void sleep(Duration time) throws InterruptedException;

    /** A number from 0 to below 1. */
    double random();
}
