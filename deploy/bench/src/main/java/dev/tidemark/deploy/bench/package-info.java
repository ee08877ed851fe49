/**
 * Benchmarks: Tidemark beside what people would use instead, in one run, on one broker, with the same data.
 *
 * <p>The frame of every benchmark: {@link dev.tidemark.deploy.bench.Benchmark} (its command and measurement), {@link
 * dev.tidemark.deploy.bench.BenchStack} (the stack under measurement), {@link dev.tidemark.deploy.bench.Rounds} (the
 * contenders in turn), {@link dev.tidemark.deploy.bench.RoundSpread} (medians) and {@link
 * dev.tidemark.deploy.bench.Report} (text, Markdown and JSON).
 *
 * <p>Visibility, in this order: {@link dev.tidemark.deploy.bench.Load} (when what is written),
 * {@link dev.tidemark.deploy.bench.OpenLoop} (who keeps to it), {@link dev.tidemark.deploy.bench.MeasuredSystem} (who
 * is measured), {@link dev.tidemark.deploy.bench.Latencies} (what comes out of a round),
 * {@link dev.tidemark.deploy.bench.VisibilityBenchmark} (all rates), {@link dev.tidemark.deploy.bench.Comparison}
 * (medians and ratios).
 *
 * <p>A benchmark runs on one thread; answers of the services are taken on those of the HTTP client. A round that loses
 * a change, or is not done in time, fails the benchmark: a number from it would mean nothing.
 */
@NullMarked
package dev.tidemark.deploy.bench;

import org.jspecify.annotations.NullMarked;
