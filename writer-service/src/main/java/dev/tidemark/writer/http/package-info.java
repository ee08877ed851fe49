/**
 * The writer's calls over HTTP.
 *
 * <p>Read in this order: {@link dev.tidemark.writer.http.WriterRoutes} (which calls there are), {@code RowHandlers},
 * {@code ReadHandlers}, {@code FactsHandler}, {@code BulkHandler}, then {@code Submitter} (how a request gets to the
 * committer).
 *
 * <p>Handlers run on the threads {@code http-*} and own nothing. They check bodies and convert rows to their stored
 * form before they queue them. So queued requests are small and the committer has little to do. Handlers report every
 * failure as a problem answer.
 */
@NullMarked
package dev.tidemark.writer.http;

import org.jspecify.annotations.NullMarked;
