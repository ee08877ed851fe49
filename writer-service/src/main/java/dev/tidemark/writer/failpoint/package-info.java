/**
 * The writer with places at which it can be made to end: each class stands in front of a port, calls it, and reports
 * before and after the call which place the process has reached. Only a process that was started with a
 * {@link dev.tidemark.runtime.Failpoints point} wires them. Threads and errors are those of the port behind.
 *
 * <p>{@link dev.tidemark.writer.failpoint.WriterFailpoint} lists them all.
 */
@NullMarked
package dev.tidemark.writer.failpoint;

import org.jspecify.annotations.NullMarked;
