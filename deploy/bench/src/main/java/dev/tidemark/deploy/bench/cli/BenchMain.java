package dev.tidemark.deploy.bench.cli;

import java.util.ArrayList;
import java.util.List;

import picocli.CommandLine;

import dev.tidemark.deploy.bench.ApplyBenchmark;
import dev.tidemark.deploy.bench.Baseline;
import dev.tidemark.deploy.bench.BaselineCommands;
import dev.tidemark.deploy.bench.BenchStack;
import dev.tidemark.deploy.bench.BenchSystems;
import dev.tidemark.deploy.bench.Benchmark;
import dev.tidemark.deploy.bench.BuildBenchmark;
import dev.tidemark.deploy.bench.GrowthBenchmark;
import dev.tidemark.deploy.bench.IndexesBenchmark;
import dev.tidemark.deploy.bench.Latencies;
import dev.tidemark.deploy.bench.Scenarios;
import dev.tidemark.deploy.bench.VerifyBenchmark;
import dev.tidemark.deploy.bench.VisibilityBenchmark;
import dev.tidemark.deploy.bench.http.HttpRequests;
import dev.tidemark.deploy.bench.kafka.BareLoop;
import dev.tidemark.deploy.bench.rocks.OutboxSizes;
import dev.tidemark.deploy.chaos.http.HttpCallers;
import dev.tidemark.deploy.cli.CommandContext;
import dev.tidemark.deploy.cli.CommandProvider;
import dev.tidemark.deploy.target.ServiceCaller.ServiceCallers;

/** Entry point of the benchmarks, found by the command line. */
public final class BenchMain implements CommandProvider {
    private static final BaselineCommands BASELINES = new BaselineCommands(BaselineMain.class, PostgresHttpMain.class);

    @Override
    public List<CommandLine> commands(CommandContext context) {
        String searchPath = System.getenv().getOrDefault("PATH", "");
        return List.of(
                BenchCommand.of(benchmarks(searchPath), new ProcessSystems(), context.readiness(), context.terminal()));
    }

    /**
     * All benchmarks, in the order of the help.
     *
     * @param searchPath directories of programs that others install, like the value of {@code PATH}
     */
    static List<Benchmark> benchmarks(String searchPath) {
        List<Benchmark> all = new ArrayList<>(List.of(
                VisibilityBenchmark.benchmark(),
                ApplyBenchmark.benchmark(BASELINES),
                IndexesBenchmark.benchmark(),
                BuildBenchmark.benchmark(),
                VerifyBenchmark.benchmark(),
                GrowthBenchmark.benchmark(searchPath)));
        all.addAll(new Scenarios(searchPath, BASELINES, OutboxSizes::of).benchmarks());
        return all;
    }

    /** Systems in separate processes. */
    private static final class ProcessSystems implements BenchSystems {
        @Override
        public ServiceCallers callers() {
            return new HttpCallers();
        }

        @Override
        public ParallelRequests requests() {
            return new HttpRequests();
        }

        @Override
        public MeasuredSystem bareLoop(Baseline baseline, BenchStack stack, Latencies like) throws Exception {
            return BareLoop.start(baseline, stack, like);
        }
    }
}
