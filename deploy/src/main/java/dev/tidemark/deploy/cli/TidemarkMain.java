package dev.tidemark.deploy.cli;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

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
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.drill.DrillTools;
import dev.tidemark.deploy.drill.kafka.KafkaTamper;
import dev.tidemark.deploy.drill.target.DrillTarget;
import dev.tidemark.deploy.drill.target.TopicTamper;
import dev.tidemark.deploy.http.HttpDrillTarget;
import dev.tidemark.deploy.http.HttpProbeTarget;
import dev.tidemark.deploy.http.HttpServices;
import dev.tidemark.deploy.http.MetricsServer;
import dev.tidemark.deploy.metrics.ProbeMeters;
import dev.tidemark.deploy.probe.Probe;
import dev.tidemark.deploy.probe.ProbeExporter;
import dev.tidemark.deploy.probe.ProbeReport;
import dev.tidemark.deploy.probe.ProbeTarget;
import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.deploy.stack.ReadinessProbe;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.worker.WorkerMain;
import dev.tidemark.writer.WriterMain;

/** Entry point of the {@code tidemark} command. */
public final class TidemarkMain {
    private TidemarkMain() {}

    public static void main(String[] args) {
        HttpServices services = new HttpServices();
        Terminal terminal = Terminal.ofProcess(System.getenv());
        Map<String, RunServiceCommand.Entry> mains = new LinkedHashMap<>();
        mains.put("writer", WriterMain::main);
        mains.put("worker", WorkerMain::main);
        Tidemark.ProbeTools probing = new Tidemark.ProbeTools(HttpProbeTarget::at, TidemarkMain::show);
        BaselineCommands baselines = new BaselineCommands(PlainLoopMain.class, StoreAloneMain.class);
        Tidemark.Benches benches = new Tidemark.Benches(
                new Benched(), new Built(), baselines, scenario -> suite(scenario, baselines), searchPath());
        System.exit(Tidemark.commandLine(
                        services, probing, benches, new Drilled(), services, terminal, mains, TidemarkMain::atExit)
                .execute(args));
    }

    private static ProbeExporter.Shown show(int port, Supplier<ProbeReport> reports) throws ServiceException {
        ProbeMeters meters = new ProbeMeters(reports);
        MetricsServer server = MetricsServer.start(port, meters::scrape);
        return () -> {
            server.close();
            meters.close();
        };
    }

    /** Where programs are installed that others bring. */
    private static String searchPath() {
        return System.getenv().getOrDefault("PATH", "");
    }

    private static Suite suite(Scenario scenario, BaselineCommands baselines) {
        return switch (scenario) {
            case PUT, QUERY ->
                new WrkSuite(
                        scenario, searchPath(), new Built(), ground -> PostgresBaselines.pgbench(scenario, ground));
            case BULK -> new HttpBulkSuite(PostgresBaselines::copy);
            case RESTART -> new RestartSuite(new Built(), baselines, new HttpQueryProbe());
            case JOIN -> new JoinSuite(new Benched(), new Built(), baselines);
            case CLIENTS -> new HttpClientsSuite();
        };
    }

    /** The real ones. */
    private static final class Benched implements MeasuredSystems {
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

    /** Likewise. */
    private static final class Built implements Builders {
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

    /** Likewise. */
    private static final class Drilled implements DrillTools {
        @Override
        public ReadinessProbe readiness() {
            return new HttpServices();
        }

        @Override
        public DrillTarget target(URI writer, URI worker) {
            return new HttpDrillTarget(writer, worker);
        }

        @Override
        public ProbeTarget probed(URI writer, List<URI> workers) {
            return HttpProbeTarget.at(writer, workers, Probe.PATIENCE);
        }

        @Override
        public TopicTamper tamper(String bootstrapServers) {
            return new KafkaTamper(bootstrapServers);
        }
    }

    private static void atExit(Runnable work) {
        Runtime.getRuntime().addShutdownHook(new Thread(work, "at-exit"));
    }
}
