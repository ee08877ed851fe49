/**
 * Clocks of other processes, as this one knows them.
 *
 * <p>Times in changes and heartbeats are the writer's. Whoever takes the difference between one of them and a time of this
 * process asks {@link dev.tidemark.worker.clocks.WriterTime} first. For any thread.
 */
@NullMarked
package dev.tidemark.worker.clocks;

import org.jspecify.annotations.NullMarked;
