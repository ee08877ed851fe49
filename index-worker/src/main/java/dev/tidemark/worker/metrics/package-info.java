/** The worker's meters, see {@link dev.tidemark.worker.metrics.WorkerMeters}. Names and tags are public API. */
@NullMarked
package dev.tidemark.worker.metrics;

import org.jspecify.annotations.NullMarked;
