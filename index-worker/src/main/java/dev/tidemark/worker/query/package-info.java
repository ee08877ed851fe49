/**
 * Questions to an index and their answers.
 *
 * <p>Read in this order: {@link dev.tidemark.worker.query.IndexQuery} and {@link dev.tidemark.worker.query.QueryParser}
 * (what can be asked), {@link dev.tidemark.worker.query.KeyBounds} (how that becomes a block of keys), {@link
 * dev.tidemark.worker.query.QueryEngine} (waiting, snapshots, merging), {@link dev.tidemark.worker.query.Cursor}.
 *
 * <p>Any thread may ask. A question that cannot be understood is a {@link
 * dev.tidemark.worker.query.BadQueryException}; one that this process cannot answer truthfully now is a {@link
 * dev.tidemark.worker.query.NotAnswerableException}, never a wrong answer.
 */
@NullMarked
package dev.tidemark.worker.query;

import org.jspecify.annotations.NullMarked;
