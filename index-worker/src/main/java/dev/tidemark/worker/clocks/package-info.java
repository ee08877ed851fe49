/**
 * Clocks of other processes, as this one knows them.
 *
 * <p>Times in changes and heartbeats are the writer's. Whoever takes the difference between one of them and a time of this
 * process asks {@link dev.tidemark.worker.clocks.WriterClock} first. {@link dev.tidemark.worker.clocks.WriterClockEstimator} works
 * it out from the answers that {@link dev.tidemark.worker.clocks.ClockAgent} (thread {@code clock}) asks the writer for.
 *
 * <p>For any thread. Where something is uncertain, ages come out too large, never too small.
 */
@NullMarked
package dev.tidemark.worker.clocks;

import org.jspecify.annotations.NullMarked;
