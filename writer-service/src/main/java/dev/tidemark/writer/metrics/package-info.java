/**
 * The meters of a writer. Registered once at the start, fed by the committer's thread, read by whoever scrapes.
 */
@NullMarked
package dev.tidemark.writer.metrics;

import org.jspecify.annotations.NullMarked;
