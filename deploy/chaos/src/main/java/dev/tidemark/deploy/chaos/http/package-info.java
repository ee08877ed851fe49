/**
 * The services over HTTP for prober and drill: {@link dev.tidemark.deploy.chaos.http.HttpCallers} sends
 * requests, {@link dev.tidemark.deploy.chaos.http.MetricsServer} publishes the findings.
 *
 * <p>Safe for use by any thread. Nothing is retried: the caller judges a failed request.
 */
@NullMarked
package dev.tidemark.deploy.chaos.http;

import org.jspecify.annotations.NullMarked;
