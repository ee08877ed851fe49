/**
 * The meters of a writer. They are registered once at the start, updated by the committer's thread, and read by any
 * thread that scrapes.
 */
@NullMarked
package dev.tidemark.writer.metrics;

import org.jspecify.annotations.NullMarked;
