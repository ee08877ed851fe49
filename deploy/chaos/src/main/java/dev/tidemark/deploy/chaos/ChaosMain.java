package dev.tidemark.deploy.chaos;

import java.net.URI;
import java.util.List;
import java.util.function.Supplier;

import picocli.CommandLine;

import dev.tidemark.deploy.chaos.http.HttpDrillTarget;
import dev.tidemark.deploy.chaos.http.HttpProbeTarget;
import dev.tidemark.deploy.chaos.http.MetricsServer;
import dev.tidemark.deploy.cli.CommandContext;
import dev.tidemark.deploy.cli.CommandProvider;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.drill.DrillTools;
import dev.tidemark.deploy.drill.kafka.KafkaTamper;
import dev.tidemark.deploy.drill.target.DrillTarget;
import dev.tidemark.deploy.drill.target.TopicTamper;
import dev.tidemark.deploy.metrics.ProbeMeters;
import dev.tidemark.deploy.probe.Probe;
import dev.tidemark.deploy.probe.ProbeExporter;
import dev.tidemark.deploy.probe.ProbeReport;
import dev.tidemark.deploy.probe.ProbeTarget;
import dev.tidemark.deploy.stack.ReadinessProbe;

/** Entry point of prober and drill, found by the command line. */
public final class ChaosMain implements CommandProvider {
    @Override
    public List<CommandLine> commands(CommandContext context) {
        ProbeTools probing = new ProbeTools(HttpProbeTarget::at, ChaosMain::show);
        return List.of(
                new CommandLine(new ProbeCommand(probing, context.terminal(), context.atExit())),
                new CommandLine(new DrillCommand(new ProcessDrillTools(context.readiness()), context.terminal())));
    }

    private static ProbeExporter.Shown show(int port, Supplier<ProbeReport> reports) throws ServiceException {
        ProbeMeters meters = new ProbeMeters(reports);
        MetricsServer server = MetricsServer.start(port, meters::scrape);
        return () -> {
            server.close();
            meters.close();
        };
    }

    /** Reaches real processes. */
    private record ProcessDrillTools(ReadinessProbe readiness) implements DrillTools {
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
}
