/**
 * Compares an index with its table, and names every row that differs.
 *
 * <p>Read in this order: {@link dev.tidemark.worker.verify.VerifyPass} (one comparison from beginning to end), then its
 * parts: {@link dev.tidemark.worker.verify.CandidateScan} (facts against row states, both in the order of primary
 * keys), {@link dev.tidemark.worker.verify.EntryCheck} (row states against the entries, by digests and without
 * sorting), {@link dev.tidemark.worker.verify.Recheck} (checks suspects again, at a later moment), and
 * {@link dev.tidemark.worker.verify.RowVerifier} (what is wrong with one row: pure).
 *
 * <p>The first two only find suspects. Only what the recheck confirms counts, so concurrent writes raise no false
 * alarm. Memory is bounded for a table of any size.
 *
 * <p>A pass belongs to one thread, {@code verify}. It reads shards through views and writes nothing. A pass that cannot
 * be finished throws a {@link dev.tidemark.worker.verify.CannotVerifyException}, and returns no result.
 */
@NullMarked
package dev.tidemark.worker.verify;

import org.jspecify.annotations.NullMarked;
