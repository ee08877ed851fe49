/**
 * The client for Java.
 *
 * <p>Read in this order: {@link dev.tidemark.client.Tidemark} (connect), {@link dev.tidemark.client.Session} (reads
 * what it wrote), {@link dev.tidemark.client.Table} and {@link dev.tidemark.client.Query} (typed calls), {@link
 * dev.tidemark.client.Service} (any call, as JSON; URLs and retries).
 *
 * <p>Everything may be used by any thread. The client has no threads beside those of the JDK's HTTP client. A failure
 * is a {@link dev.tidemark.client.TidemarkException}. Tokens of access are in no message and in no {@code toString()}.
 */
@NullMarked
package dev.tidemark.client;

import org.jspecify.annotations.NullMarked;
