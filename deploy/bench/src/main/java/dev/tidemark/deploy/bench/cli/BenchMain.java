package dev.tidemark.deploy.bench.cli;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

import picocli.CommandLine;

import dev.tidemark.deploy.bench.Baseline;
import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.Latencies;
import dev.tidemark.deploy.bench.MeasuredSystem;
import dev.tidemark.deploy.bench.MeasuredSystems;
import dev.tidemark.deploy.bench.TidemarkTarget;
import dev.tidemark.deploy.bench.apply.BaselineCommands;
import dev.tidemark.deploy.bench.apply.JoinSuite;
import dev.tidemark.deploy.bench.baseline.PlainLoopMain;
import dev.tidemark.deploy.bench.baseline.StoreAloneMain;
import dev.tidemark.deploy.bench.build.Builders;
import dev.tidemark.deploy.bench.build.IndexBuilder;
import dev.tidemark.deploy.bench.http.HttpBulkSuite;
import dev.tidemark.deploy.bench.http.HttpClientsSuite;
import dev.tidemark.deploy.bench.http.HttpIndexBuilder;
import dev.tidemark.deploy.bench.http.HttpQueryProbe;
import dev.tidemark.deploy.bench.http.HttpTableVerifier;
import dev.tidemark.deploy.bench.http.HttpTidemark;
import dev.tidemark.deploy.bench.kafka.BareLoop;
import dev.tidemark.deploy.bench.postgres.PostgresBaselines;
import dev.tidemark.deploy.bench.postgres.PostgresIndexBuilder;
import dev.tidemark.deploy.bench.restart.RestartSuite;
import dev.tidemark.deploy.bench.scenario.Scenario;
import dev.tidemark.deploy.bench.scenario.Suite;
import dev.tidemark.deploy.bench.verify.TableVerifier;
import dev.tidemark.deploy.bench.wrk.WrkSuite;
import dev.tidemark.deploy.cli.CommandContext;
import dev.tidemark.deploy.cli.CommandProvider;
import dev.tidemark.deploy.stack.Installation;

/** Entry point of the benchmarks, found by the command line. */
public final class BenchMain implements CommandProvider {
    @Override
    public List<CommandLine> commands(CommandContext context) {
        BaselineCommands baselines = new BaselineCommands(PlainLoopMain.class, StoreAloneMain.class);
        BenchTools tools = new BenchTools(
                new ProcessSystems(),
                new ProcessBuilders(),
                baselines,
                scenario -> suite(scenario, baselines),
                searchPath());
        return List.of(BenchCommand.of(tools, context.readiness(), context.terminal()));
    }

    /** Directories of programs that others install. */
    private static String searchPath() {
        return System.getenv().getOrDefault("PATH", "");
    }

    private static Suite suite(Scenario scenario, BaselineCommands baselines) {
        Builders builders = new ProcessBuilders();
        return switch (scenario) {
            case PUT, QUERY ->
                new WrkSuite(scenario, searchPath(), builders, ground -> PostgresBaselines.pgbench(scenario, ground));
            case BULK -> new HttpBulkSuite(PostgresBaselines::copy);
            case RESTART -> new RestartSuite(builders, baselines, new HttpQueryProbe());
            case JOIN -> new JoinSuite(new ProcessSystems(), builders, baselines);
            case CLIENTS -> new HttpClientsSuite();
        };
    }

    /** Measured systems in separate processes. */
    private static final class ProcessSystems implements MeasuredSystems {
        @Override
        public TidemarkTarget tidemark(URI writer, URI worker) {
            return new HttpTidemark(writer, worker);
        }

        @Override
        public MeasuredSystem bareLoop(
                Baseline peer, Installation installation, String brokers, Path log, Latencies like, Clock clock)
                throws BenchException, InterruptedException {
            return BareLoop.start(peer, installation, brokers, log, like, clock);
        }
    }

    /** Builders of systems in separate processes. */
    private static final class ProcessBuilders implements Builders {
        @Override
        public IndexBuilder tidemark(URI writer, URI worker, Clock clock) {
            return new HttpIndexBuilder(writer, worker, clock);
        }

        @Override
        public TableVerifier verifier(URI writer, URI worker, Clock clock) {
            return new HttpTableVerifier(writer, worker, clock);
        }

        @Override
        public Optional<IndexBuilder> postgres(Path parent, Clock clock)
                throws BenchException, IOException, InterruptedException {
            return PostgresIndexBuilder.start(parent, clock).map(builder -> builder);
        }
    }
}
