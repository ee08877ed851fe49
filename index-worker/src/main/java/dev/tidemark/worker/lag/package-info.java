/**
 * How far behind the indexes are, and what may be said of it.
 *
 * <p>Read in this order: {@link dev.tidemark.worker.lag.LagMeter} (every number and state, worked out when it is asked
 * for), {@link dev.tidemark.worker.lag.HealthRule} (which state it is), {@link dev.tidemark.worker.lag.LagAgent} (thread
 * {@code lag}, which asks where partitions end), {@link dev.tidemark.worker.lag.ApplyRate} and {@link dev.tidemark.worker.lag.CatchUpEstimate} (how fast, and until when), {@link
 * dev.tidemark.worker.lag.Visibility} (how long changes take), {@link
 * dev.tidemark.worker.lag.FreshnessHistory} (the last quarter of an hour, kept by thread {@code history}).
 *
 * <p>A number that cannot be told is absent, never 0. Freshness is worked out from the watermark at the moment of asking,
 * so that it grows whatever is stuck, this package's own thread included.
 */
@NullMarked
package dev.tidemark.worker.lag;

import org.jspecify.annotations.NullMarked;
