/**
 * Proves that an index is equal to its table, and names every row where it is not.
 *
 * <p>Read in this order: {@link dev.tidemark.worker.verify.VerifyPass} (one comparison from beginning to end), then what
 * it is made of: {@link dev.tidemark.worker.verify.CandidateScan} (facts against row states, both in the order of primary
 * keys), {@link dev.tidemark.worker.verify.EntryCheck} (row states against the entries, by sums and without sorting),
 * {@link dev.tidemark.worker.verify.Recheck} (whatever looked wrong, again, at a later moment), and
 * {@link dev.tidemark.worker.verify.RowVerifier} (what is wrong with one row: pure).
 *
 * <p>The first two only suspect; nothing counts that the second look does not confirm, which is why writes going on give
 * no false alarm. Memory is bounded whatever the size of the table.
 *
 * <p>A pass belongs to one thread, {@code verify}. It reads shards through views and writes nothing. What keeps it from
 * being finished is a {@link dev.tidemark.worker.verify.CannotVerifyException}, never a verdict.
 */
@NullMarked
package dev.tidemark.worker.verify;

import org.jspecify.annotations.NullMarked;
