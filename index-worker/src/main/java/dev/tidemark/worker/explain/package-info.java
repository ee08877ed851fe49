/**
 * Explains why a row is, or is not, in an index.
 *
 * <p>Read in this order: {@link dev.tidemark.worker.explain.RowLookup} and
 * {@link dev.tidemark.worker.explain.RowSnapshot} (what the shard shows of the row),
 * {@link dev.tidemark.worker.explain.RowPosition} (what that means for one index),
 * {@link dev.tidemark.worker.explain.FactTable} (the row at the writer),
 * {@link dev.tidemark.worker.explain.ExplainRule} (the pure function from both to a
 * {@link dev.tidemark.worker.explain.RowStatus}), {@link dev.tidemark.worker.explain.Explainer}.
 *
 * <p>Reasons are those that the apply thread stored with the row. If a row must be derived again, the class that made
 * the entries derives it. For any thread. A writer that does not answer is no error: the explanation then contains what
 * is known without it.
 */
@NullMarked
package dev.tidemark.worker.explain;

import org.jspecify.annotations.NullMarked;
