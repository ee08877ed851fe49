/**
 * What the command line shows to Prometheus.
 *
 * <p>Read {@link dev.tidemark.deploy.metrics.ProbeMeters}. Any thread may scrape; values are worked out then.
 */
@NullMarked
package dev.tidemark.deploy.metrics;

import org.jspecify.annotations.NullMarked;
