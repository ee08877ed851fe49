/**
 * The writer's calls over HTTP.
 *
 * <p>Read in this order: {@link dev.tidemark.writer.http.WriterRoutes} (which calls there are), {@code RowHandlers},
 * {@code ReadHandlers}, {@code FactsHandler}, {@code BulkHandler}, then {@code Submitter} (how a request gets to the committer).
 *
 * <p>Handlers run on the threads {@code http-*} and own nothing. Bodies are checked and rows are made into their stored
 * form before they are queued, so that what waits is small and the committer has little to do. Whatever goes wrong leaves
 * as a problem answer.
 */
@NullMarked
package dev.tidemark.writer.http;

import org.jspecify.annotations.NullMarked;
