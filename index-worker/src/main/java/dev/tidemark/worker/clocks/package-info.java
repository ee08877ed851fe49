/**
 * Clocks of other processes, as this one knows them.
 *
 * <p>Times in changes and heartbeats are the writer's. A caller that subtracts one of them from a time of this process
 * converts with {@link dev.tidemark.worker.clocks.WriterClock} first.
 * {@link dev.tidemark.worker.clocks.WriterClockEstimator} computes the difference from the answers that
 * {@link dev.tidemark.worker.clocks.ClockAgent} (thread {@code clock}) requests from the writer.
 *
 * <p>For any thread. Where the clock is uncertain, ages are too large, never too small.
 */
@NullMarked
package dev.tidemark.worker.clocks;

import org.jspecify.annotations.NullMarked;
