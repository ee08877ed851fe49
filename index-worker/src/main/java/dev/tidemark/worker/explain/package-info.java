/**
 * Why a row is, or is not, in an index.
 *
 * <p>Read in this order: {@link dev.tidemark.worker.explain.RowLookup} and {@link dev.tidemark.worker.explain.RowSnapshot}
 * (what the shard shows of the row), {@link dev.tidemark.worker.explain.RowPosition} (what that means for one index), {@link
 * dev.tidemark.worker.explain.FactTable} (what the writer says), {@link dev.tidemark.worker.explain.ExplainRule} (the
 * pure function from both to an {@link dev.tidemark.worker.explain.RowStatus}), {@link dev.tidemark.worker.explain.Explainer}.
 *
 * <p>Reasons are those that the apply thread stored with the row; where a row must be derived again, the class that made
 * the entries does it. For any thread. A writer that does not answer is no error: the explanation says what is known
 * without it.
 */
@NullMarked
package dev.tidemark.worker.explain;

import org.jspecify.annotations.NullMarked;
