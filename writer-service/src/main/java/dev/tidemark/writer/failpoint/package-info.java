/**
 * The failpoints of the writer, which {@link dev.tidemark.writer.failpoint.WriterFailpoint} lists. The code that
 * reaches one calls it there. For any thread.
 */
@NullMarked
package dev.tidemark.writer.failpoint;

import org.jspecify.annotations.NullMarked;
