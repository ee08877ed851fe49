/**
 * Looking through files at rest for damage that nobody has read yet: a block that is never asked for can be wrong for
 * months, until it is needed.
 *
 * <p>Read in this order: {@link dev.tidemark.checksum.ChecksumScanTarget} (what is looked through),
 * {@link dev.tidemark.checksum.ChecksumScanAgent} (when), {@link dev.tidemark.checksum.ChecksumScanTotals} (what came of it).
 *
 * <p>All of it runs on the thread {@code checksum}; totals are for any. A target that cannot be read at the moment is passed
 * over until the next pass.
 */
@NullMarked
package dev.tidemark.checksum;

import org.jspecify.annotations.NullMarked;
