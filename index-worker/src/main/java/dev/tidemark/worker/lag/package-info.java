/**
 * Measures how far behind the indexes are, and derives their health.
 *
 * <p>Read in this order: {@link dev.tidemark.worker.lag.LagMeter} (computes every number and state on request),
 * {@link dev.tidemark.worker.lag.HealthRule} (selects the health), {@link dev.tidemark.worker.lag.LagSampler} (thread
 * {@code lag}, which reads end offsets), {@link dev.tidemark.worker.lag.ApplyRate} and
 * {@link dev.tidemark.worker.lag.CatchUpEstimate} (how fast, and until when),
 * {@link dev.tidemark.worker.lag.Visibility} (how long changes take), {@link dev.tidemark.worker.lag.FreshnessHistory}
 * (the last 15 minutes, sampled by thread {@code history}, because the lag thread waits for the brokers just when
 * the history is of interest).
 *
 * <p>An unknown number is absent, never 0. Freshness is computed from the watermark on request, so it grows when any
 * part is stuck, including the thread of this package.
 */
@NullMarked
package dev.tidemark.worker.lag;

import org.jspecify.annotations.NullMarked;
