/**
 * Benchmarks: Tidemark beside what people would use instead, in one run, on one broker, with the same data.
 *
 * <p>Read in this order: {@link dev.tidemark.deploy.bench.Load} (when what is written),
 * {@link dev.tidemark.deploy.bench.OpenLoop} (who keeps to it), {@link dev.tidemark.deploy.bench.MeasuredSystem} (who
 * is measured), {@link dev.tidemark.deploy.bench.Latencies} (what comes out of a round),
 * {@link dev.tidemark.deploy.bench.VisibilityBench} (rounds in turn), {@link dev.tidemark.deploy.bench.Comparison}
 * (medians and ratios).
 *
 * <p>A benchmark runs on one thread; answers of the services are taken on those of the HTTP client. A round that loses
 * a change, or is not done in time, fails the benchmark: a number from it would mean nothing.
 */
@NullMarked
package dev.tidemark.deploy.bench;

import org.jspecify.annotations.NullMarked;
