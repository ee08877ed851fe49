/**
 * What tests and simulations put in place of disk and log, and the contracts that these and the real ones keep.
 *
 * <p>Read in this order: {@link dev.tidemark.writer.testkit.InMemoryDisk} (what a power cut undoes),
 * {@link dev.tidemark.writer.testkit.WriterStores} (the ports over it), {@link dev.tidemark.writer.testkit.InMemoryLog}
 * (the log, its topics and its faults), {@link dev.tidemark.writer.testkit.TestTables}. The contract classes are
 * abstract tests, one for each port. Unless said otherwise, nothing here is for more than one thread at a time.
 */
@NullMarked
package dev.tidemark.writer.testkit;

import org.jspecify.annotations.NullMarked;
