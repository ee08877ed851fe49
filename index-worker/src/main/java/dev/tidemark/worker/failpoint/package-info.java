/**
 * The worker with failpoints at which a test can stop the process. Each class wraps a port, calls it, and reaches a
 * failpoint before or after the call. Only a process that was started with a
 * {@link dev.tidemark.runtime.Failpoints failpoint} wires these classes. Threads and errors are those of the wrapped
 * port.
 *
 * <p>{@link dev.tidemark.worker.failpoint.WorkerFailpoint} lists all failpoints;
 * {@link dev.tidemark.worker.failpoint.BatchSteps} maps a batch of a shard to its failpoints.
 */
@NullMarked
package dev.tidemark.worker.failpoint;

import org.jspecify.annotations.NullMarked;
