package dev.tidemark.deploy.chaos.http;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.http.HttpServer;
import dev.tidemark.http.HttpSettings;
import dev.tidemark.http.PortInUseException;
import dev.tidemark.http.Route;
import dev.tidemark.http.Security;
import dev.tidemark.memory.MemoryBudget;

/** Answers {@code GET /metrics} on the loopback address, and nothing else. */
public record MetricsServer(HttpServer server) implements AutoCloseable {
    private static final String HOST = "127.0.0.1";
    private static final int THREADS = 2;
    private static final Duration DRAIN = Duration.ofSeconds(1);

    /**
     * Starts listening.
     *
     * @param port 0 for any free one
     * @param metrics gives the Prometheus text
     * @throws ServiceException when the port is taken
     */
    public static MetricsServer start(int port, Supplier<String> metrics) throws ServiceException {
        try {
            return new MetricsServer(HttpServer.start(
                    new HttpSettings(HOST, port, THREADS, DRAIN),
                    Security.none(),
                    MemoryBudget.unlimited(),
                    () -> List.of(Route.metrics(metrics))));
        } catch (PortInUseException e) {
            throw new ServiceException("cannot serve metrics: port " + port + " of " + HOST + " is in use");
        }
    }

    /** The port it listens on. */
    public int port() {
        return server.port();
    }

    @Override
    public void close() {
        server.close();
    }
}
