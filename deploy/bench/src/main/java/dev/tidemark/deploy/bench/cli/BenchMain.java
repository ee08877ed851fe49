package dev.tidemark.deploy.bench.cli;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import picocli.CommandLine;

import dev.tidemark.deploy.bench.Baseline;
import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.BenchStack;
import dev.tidemark.deploy.bench.BenchSystems;
import dev.tidemark.deploy.bench.Benchmark;
import dev.tidemark.deploy.bench.IndexBuilder;
import dev.tidemark.deploy.bench.Latencies;
import dev.tidemark.deploy.bench.MeasuredSystem;
import dev.tidemark.deploy.bench.TidemarkTable;
import dev.tidemark.deploy.bench.TidemarkTarget;
import dev.tidemark.deploy.bench.VisibilityBenchmark;
import dev.tidemark.deploy.bench.apply.ApplyBenchmark;
import dev.tidemark.deploy.bench.apply.BaselineCommands;
import dev.tidemark.deploy.bench.apply.IndexesBenchmark;
import dev.tidemark.deploy.bench.apply.JoinSuite;
import dev.tidemark.deploy.bench.baseline.BaselineMain;
import dev.tidemark.deploy.bench.build.BuildBenchmark;
import dev.tidemark.deploy.bench.build.VerifyBenchmark;
import dev.tidemark.deploy.bench.growth.GrowthBenchmark;
import dev.tidemark.deploy.bench.http.HttpBulkSuite;
import dev.tidemark.deploy.bench.http.HttpClientsSuite;
import dev.tidemark.deploy.bench.http.HttpQueryProbe;
import dev.tidemark.deploy.bench.http.HttpTable;
import dev.tidemark.deploy.bench.http.HttpTidemark;
import dev.tidemark.deploy.bench.kafka.BareLoop;
import dev.tidemark.deploy.bench.postgres.PostgresBaselines;
import dev.tidemark.deploy.bench.restart.RestartSuite;
import dev.tidemark.deploy.bench.scenario.Scenario;
import dev.tidemark.deploy.bench.scenario.ScenarioBenchmark;
import dev.tidemark.deploy.bench.scenario.Suite;
import dev.tidemark.deploy.bench.wrk.WrkSuite;
import dev.tidemark.deploy.cli.CommandContext;
import dev.tidemark.deploy.cli.CommandProvider;

/** Entry point of the benchmarks, found by the command line. */
public final class BenchMain implements CommandProvider {
    private static final BaselineCommands BASELINES = new BaselineCommands(BaselineMain.class);

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
        for (Scenario scenario : Scenario.values()) {
            all.add(ScenarioBenchmark.benchmark(scenario, each -> suite(each, searchPath)));
        }
        return all;
    }

    private static Suite suite(Scenario scenario, String searchPath) {
        return switch (scenario) {
            case PUT, QUERY ->
                WrkSuite.of(scenario, searchPath, context -> PostgresBaselines.pgbench(scenario, context));
            case BULK -> HttpBulkSuite.of(PostgresBaselines::copy);
            case RESTART -> RestartSuite.of(BASELINES, new HttpQueryProbe());
            case JOIN -> JoinSuite.of(BASELINES);
            case CLIENTS -> HttpClientsSuite.of();
        };
    }

    /** Systems in separate processes. */
    private static final class ProcessSystems implements BenchSystems {
        @Override
        public TidemarkTarget tidemark(URI writer, URI worker) {
            return new HttpTidemark(writer, worker);
        }

        @Override
        public TidemarkTable table(URI writer, URI worker, Clock clock) {
            return new HttpTable(writer, worker, clock);
        }

        @Override
        public Optional<IndexBuilder> postgres(Path parent, Clock clock)
                throws BenchException, IOException, InterruptedException {
            return PostgresBaselines.builder(parent, clock);
        }

        @Override
        public MeasuredSystem bareLoop(Baseline baseline, BenchStack stack, Latencies like, Clock clock)
                throws BenchException, InterruptedException {
            return BareLoop.start(baseline, stack, like, clock);
        }
    }
}
