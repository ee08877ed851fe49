/**
 * The writer with places at which it can be made to end: each class stands in front of a port, calls it, and says before and
 * after where the process is. Wired by a process that was asked for a {@link dev.tidemark.runtime.Failpoints point}, and by no
 * other. Threads and errors are those of the port behind.
 *
 * <p>{@link dev.tidemark.writer.failpoint.WriterFailpoint} lists them all.
 */
@NullMarked
package dev.tidemark.writer.failpoint;

import org.jspecify.annotations.NullMarked;
