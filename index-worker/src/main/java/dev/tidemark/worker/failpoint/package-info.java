/**
 * The failpoints of the worker, which {@link dev.tidemark.worker.failpoint.WorkerFailpoint} lists. The code that
 * reaches one calls it there. {@link dev.tidemark.worker.failpoint.BatchSteps} maps a batch of a shard to its
 * failpoints. For any thread.
 */
@NullMarked
package dev.tidemark.worker.failpoint;

import org.jspecify.annotations.NullMarked;
