/**
 * Looking through files at rest for damage that nobody has read yet: a block that is never asked for can be wrong for
 * months, until it is needed.
 *
 * <p>Read in this order: {@link dev.tidemark.scrub.ScrubTarget} (what is looked through),
 * {@link dev.tidemark.scrub.ScrubAgent} (when), {@link dev.tidemark.scrub.ScrubTotals} (what came of it).
 *
 * <p>All of it runs on the thread {@code scrub}; totals are for any. A target that cannot be read at the moment is passed
 * over until the next pass.
 */
@NullMarked
package dev.tidemark.scrub;

import org.jspecify.annotations.NullMarked;
