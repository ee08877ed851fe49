/**
 * Explains why a row is, or is not, in an index, and gives the receipt of a write.
 *
 * <p>Read in this order: {@link dev.tidemark.worker.explain.RowLookup} and
 * {@link dev.tidemark.worker.explain.RowSnapshot} (what the shard shows of the row),
 * {@link dev.tidemark.worker.explain.RowPosition} (what that means for one index),
 * {@link dev.tidemark.worker.explain.FactTable} (the row at the writer),
 * {@link dev.tidemark.worker.explain.RowStatus} (the answer). {@link dev.tidemark.worker.explain.Explainer} answers
 * about a row, {@link dev.tidemark.worker.explain.ReceiptService} about the write that returned a token. Each derives
 * its answer by a pure function.
 *
 * <p>Reasons are those that the apply thread stored with the row. If a row must be derived again, the class that made
 * the entries derives it. For any thread. A writer that does not answer is no error: the explanation then contains what
 * is known without it. A token without a known answer is refused with a reason, never answered with a guess.
 */
@NullMarked
package dev.tidemark.worker.explain;

import org.jspecify.annotations.NullMarked;
