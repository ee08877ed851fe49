package dev.tidemark.writer;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.http.Health;
import dev.tidemark.http.HttpServer;
import dev.tidemark.http.PortInUseException;
import dev.tidemark.http.Security;
import dev.tidemark.http.ServiceClient;
import dev.tidemark.http.ServiceRoutes;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.metrics.ServiceMeters;
import dev.tidemark.runtime.AgentRunner;
import dev.tidemark.runtime.CloseableStack;
import dev.tidemark.runtime.DataDirectory;
import dev.tidemark.runtime.FatalErrorAgent;
import dev.tidemark.runtime.GaugeValue;
import dev.tidemark.runtime.ServiceProcess;
import dev.tidemark.writer.commit.FactsDamage;
import dev.tidemark.writer.database.FactDatabase;

/**
 * What a writer process has from its start, active or not.
 *
 * @param file the catalog file
 * @param damage found in the fact tables
 * @param queue heap for requests that wait
 * @param publishing heap for messages under way to the log
 * @param wall the clock of the process
 */
record WriterBase(
        WriterConfig config,
        Security security,
        Catalog file,
        DataDirectory directory,
        FactDatabase database,
        FactsDamage damage,
        ServiceMeters meters,
        MemoryBudget memory,
        MemoryBudget.Part queue,
        MemoryBudget.Part publishing,
        Clock wall) {
    static final String OPEN_API = "/dev/tidemark/writer/openapi.yaml";

    private static final Duration REST = Duration.ofMillis(100);
    private static final Duration PATIENCE = Duration.ofMillis(500);

    /** Serves calls, until the service is closed. */
    HttpServer listen(
            CloseableStack service,
            Health health,
            Supplier<String> metrics,
            ServiceRoutes routes,
            List<ServiceClient> peers)
            throws PortInUseException {
        HttpServer server =
                service.add(HttpServer.start(config.http(), security, memory, health, metrics, OPEN_API, routes));
        service.add(AgentRunner.start(server.guard(peers, wall), REST), PATIENCE);
        return server;
    }

    /** Ends the process once there is a reason to. */
    void giveUp(CloseableStack service, Supplier<Optional<String>> reason, int exitCode) {
        service.add(AgentRunner.start(FatalErrorAgent.of(reason, exitCode, wall), REST), PATIENCE);
    }

    /**
     * Ends the process once another one has its place. Of writers that share fact tables it comes back as a standby,
     * where a supervisor starts it; a copy of fact tables does not.
     */
    void giveWay(CloseableStack service, Supplier<Optional<String>> reason) {
        giveUp(service, reason, database.terms().isPresent() ? ServiceProcess.GAVE_UP : ServiceProcess.REPLACED);
    }

    /** Ends the process once one of these threads has stopped by itself. */
    void giveUpWithout(CloseableStack service, List<AgentRunner> threads) {
        service.add(AgentRunner.start(FatalErrorAgent.without(threads, wall), REST), PATIENCE);
    }

    /** Shows whether this process is the one that commits and publishes. */
    void showActive(BooleanSupplier isActive) {
        meters.show(List.of(new GaugeValue(
                "writer.active",
                "1 while this process is the writer that commits and publishes, else 0",
                () -> isActive.getAsBoolean() ? 1 : 0)));
    }
}
