/**
 * How fresh the indexes are, told by the writer, so that somebody tells when the workers are gone.
 *
 * <p>Read {@link dev.tidemark.writer.lag.FreshnessWatch}. The thread {@code lag} reads the notes; any thread asks. While
 * the notes cannot be read, the last ones count, and freshness grows.
 */
@NullMarked
package dev.tidemark.writer.lag;

import org.jspecify.annotations.NullMarked;
