/**
 * The freshness of the indexes, reported by the writer, so that it is available while the workers are down.
 *
 * <p>Read {@link dev.tidemark.writer.lag.FreshnessWatch}. The thread {@code lag} reads the workers' progress; any
 * thread may read the result. While the progress cannot be read, the last one counts, and freshness grows.
 */
@NullMarked
package dev.tidemark.writer.lag;

import org.jspecify.annotations.NullMarked;
