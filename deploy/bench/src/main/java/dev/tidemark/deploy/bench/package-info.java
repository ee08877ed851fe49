/**
 * Benchmarks: Tidemark beside what people would use instead, in one run, on one broker, with the same data.
 *
 * <p>The frame of every benchmark: {@link dev.tidemark.deploy.bench.Benchmark} (its command and measurement), {@link
 * dev.tidemark.deploy.bench.Arguments} (its options), {@link dev.tidemark.deploy.bench.BenchStack} (the stack under
 * measurement), {@link dev.tidemark.deploy.bench.Rounds} (the contenders in turn), {@link
 * dev.tidemark.deploy.bench.RoundSpread} (medians) and {@link dev.tidemark.deploy.bench.Report} (text, Markdown and
 * JSON).
 *
 * <p>Visibility: {@link dev.tidemark.deploy.bench.Load} (when what is written), {@link
 * dev.tidemark.deploy.bench.TidemarkLoop}, {@link dev.tidemark.deploy.bench.Latencies} (what comes out of a round),
 * {@link dev.tidemark.deploy.bench.VisibilityBenchmark} (all rates), {@link
 * dev.tidemark.deploy.bench.VisibilityBenchmark.VisibilityReport} (medians and ratios).
 *
 * <p>Following a full topic: {@link dev.tidemark.deploy.bench.StackWorker}, {@link
 * dev.tidemark.deploy.bench.BaselineCommands} and {@link dev.tidemark.deploy.bench.PlainLoop} follow, {@link
 * dev.tidemark.deploy.bench.ApplyBenchmark} and {@link dev.tidemark.deploy.bench.IndexesBenchmark} measure. Over a
 * table that is there: {@link dev.tidemark.deploy.bench.BuildBenchmark} and {@link
 * dev.tidemark.deploy.bench.VerifyBenchmark}. As a table grows: {@link dev.tidemark.deploy.bench.GrowthBenchmark}.
 *
 * <p>Scenarios, in which Tidemark and one baseline do the same work in turn: {@link
 * dev.tidemark.deploy.bench.Scenario} (what there is to measure), {@link dev.tidemark.deploy.bench.Figure} (what comes
 * out), {@link dev.tidemark.deploy.bench.Suite} (where both systems come from), {@link
 * dev.tidemark.deploy.bench.ScenarioBenchmark} (from a new stack to the report). {@link
 * dev.tidemark.deploy.bench.WrkTool} and {@link dev.tidemark.deploy.bench.PostgresServer} are programs of this machine.
 *
 * <p>A benchmark runs on one thread; answers of the services are taken on those of the HTTP client. An exception
 * ends the benchmark, and the command shows it. A round that loses a change, or is not done in time, throws a {@link
 * dev.tidemark.deploy.bench.BenchException}: a number from it would mean nothing. The report names what is not
 * installed and was left out.
 */
@NullMarked
package dev.tidemark.deploy.bench;

import org.jspecify.annotations.NullMarked;
