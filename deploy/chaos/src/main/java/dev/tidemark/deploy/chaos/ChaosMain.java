package dev.tidemark.deploy.chaos;

import java.util.List;
import java.util.function.Supplier;

import picocli.CommandLine;

import dev.tidemark.deploy.chaos.http.HttpCallers;
import dev.tidemark.deploy.chaos.http.MetricsServer;
import dev.tidemark.deploy.cli.CommandContext;
import dev.tidemark.deploy.cli.CommandProvider;
import dev.tidemark.deploy.client.ClientIdentity;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.drill.Drill;
import dev.tidemark.deploy.drill.Drill.DrillTools;
import dev.tidemark.deploy.drill.kafka.KafkaTamper;
import dev.tidemark.deploy.metrics.ProbeMeters;
import dev.tidemark.deploy.probe.ProbeReport;
import dev.tidemark.deploy.target.ServiceCaller.ServiceCallers;

/** Entry point of prober and drill, found by the command line. */
public final class ChaosMain implements CommandProvider {
    @Override
    public List<CommandLine> commands(CommandContext context) {
        DrillTools tools = new DrillTools(context.readiness(), new HttpCallers(), KafkaTamper::new);
        DrillCommand.Drilling drilling =
                (plan, stack, clock, listener) -> Drill.run(plan, stack, tools, clock, listener);
        return List.of(
                new CommandLine(new ProbeCommand(new HttpProbeTools(), context.terminal(), context.atExit())),
                new CommandLine(new DrillCommand(drilling, context.terminal(), context.atExit())));
    }

    /** Reaches real processes. */
    private static final class HttpProbeTools implements ProbeCommand.ProbeTools {
        @Override
        public ServiceCallers callers(ClientIdentity identity) throws ServiceException {
            return HttpCallers.as(identity);
        }

        @Override
        public Runnable show(int port, Supplier<ProbeReport> reports) throws ServiceException {
            ProbeMeters meters = new ProbeMeters(reports);
            MetricsServer server = MetricsServer.start(port, meters::scrape);
            return () -> {
                server.close();
                meters.close();
            };
        }
    }
}
