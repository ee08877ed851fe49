/**
 * The worker over HTTP: its routes, and the client that asks the writer for rows.
 *
 * <p>Read in this order: {@link dev.tidemark.worker.http.WorkerRoutes} (what there is),
 * {@link dev.tidemark.worker.http.QueryRoutes} and {@link dev.tidemark.worker.http.QueryResultJson},
 * {@link dev.tidemark.worker.http.ReceiptRoutes} and {@link dev.tidemark.worker.http.ExplainRoutes},
 * {@link dev.tidemark.worker.http.LagJson}, {@link dev.tidemark.worker.http.EventStreams} (lag as it changes),
 * {@link dev.tidemark.worker.http.ConsoleRoutes} (the page), {@link dev.tidemark.worker.http.WorkerHealth},
 * {@link dev.tidemark.worker.http.WriterClient}.
 *
 * <p>Handlers run on the threads {@code http-*}, which own nothing; event streams are written by the
 * thread {@code events}.
 */
@NullMarked
package dev.tidemark.worker.http;

import org.jspecify.annotations.NullMarked;
