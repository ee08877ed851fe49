/**
 * Checksum scan: reads files at rest and compares them with their checksums. A block that is never read can be damaged
 * for months, until it is needed.
 *
 * <p>Read in this order: {@link dev.tidemark.checksum.ChecksumScanTarget} (what is scanned), {@link
 * dev.tidemark.checksum.ChecksumScanAgent} (when), {@link dev.tidemark.checksum.ChecksumScanTotals} (results).
 *
 * <p>All of it runs on the thread {@code checksum}; totals are for any thread. A target that cannot be read at the
 * moment is skipped until the next pass.
 */
@NullMarked
package dev.tidemark.checksum;

import org.jspecify.annotations.NullMarked;
