/**
 * Benchmarks: Tidemark beside what people would use instead, in one run, on one broker, with the same data.
 *
 * <p>The frame of every benchmark: {@link dev.tidemark.deploy.bench.Benchmark} (its command and measurement), {@link
 * dev.tidemark.deploy.bench.Arguments} (its options), {@link dev.tidemark.deploy.bench.BenchStack} (the stack under
 * measurement, which ends all that was started beside it), {@link dev.tidemark.deploy.bench.Contender} (a system of a
 * benchmark), {@link dev.tidemark.deploy.bench.Rounds} (the contenders in turn), {@link
 * dev.tidemark.deploy.bench.Figure} (what comes out of a round), {@link dev.tidemark.deploy.bench.RoundSpread}
 * (medians) and {@link dev.tidemark.deploy.bench.Report} (text, Markdown and JSON). {@link
 * dev.tidemark.deploy.bench.LineProcess} starts programs.
 *
 * <p>Scenarios, in which Tidemark and baselines do the same work in turn, are data: {@link
 * dev.tidemark.deploy.bench.Scenarios} lists them, {@link dev.tidemark.deploy.bench.ScenarioBenchmark} runs any of them
 * from a new stack to the report. {@link dev.tidemark.deploy.bench.WrkTool} and {@link
 * dev.tidemark.deploy.bench.PostgresServer} are programs of this machine.
 *
 * <p>Visibility: {@link dev.tidemark.deploy.bench.Load} (when what is written), {@link
 * dev.tidemark.deploy.bench.TidemarkLoop}, {@link dev.tidemark.deploy.bench.Latencies} and {@link
 * dev.tidemark.deploy.bench.VisibilityFigures} (what comes out of a round), {@link
 * dev.tidemark.deploy.bench.VisibilityBenchmark} (all rates), {@link dev.tidemark.deploy.bench.VisibilityReport}
 * (medians and ratios).
 *
 * <p>Following a full topic: {@link dev.tidemark.deploy.bench.StackWorker} and {@link
 * dev.tidemark.deploy.bench.BaselineCommands} follow, {@link dev.tidemark.deploy.bench.ApplyBenchmark} and {@link
 * dev.tidemark.deploy.bench.IndexesBenchmark} measure. Over a table that is there: {@link
 * dev.tidemark.deploy.bench.BuildBenchmark} and {@link dev.tidemark.deploy.bench.VerifyBenchmark}. As a table grows:
 * {@link dev.tidemark.deploy.bench.GrowthBenchmark}.
 *
 * <p>A benchmark runs on one thread; answers of the services are taken on those of the HTTP client. An exception
 * ends the benchmark, and the command shows it. A round that loses a change, or is not done in time, throws a {@link
 * dev.tidemark.deploy.bench.BenchException}: a number from it would mean nothing. The report names what is not
 * installed and was left out.
 */
@NullMarked
package dev.tidemark.deploy.bench;

import org.jspecify.annotations.NullMarked;
