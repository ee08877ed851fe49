package dev.tidemark.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;

import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.runtime.BoundedWait;

/**
 * A service's HTTP side: its own routes, and {@code /health/live}, {@code /health/ready}, {@code /metrics},
 * {@code /openapi.yaml}. Closing it stops accepting, then lets requests under way finish.
 */
public final class HttpServer implements AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(HttpServer.class);

    /** The part of the drain time for which a connection may be silent. */
    private static final int SILENT_PART = 5;

    private static final Duration STEP = Duration.ofMillis(5);

    private final Server server;
    private final ServerConnector listener;
    private final ConnectionLimit limit;
    private final SlowClientReaper slow;
    private final String host;
    private final Security security;

    HttpServer(
            Server server,
            ServerConnector listener,
            ConnectionLimit limit,
            SlowClientReaper slow,
            String host,
            Security security) {
        this.server = server;
        this.listener = listener;
        this.limit = limit;
        this.slow = slow;
        this.host = host;
        this.security = security;
    }

    /** Starts listening without TLS, tokens and a bound of memory; otherwise as the other. */
    public static HttpServer start(
            HttpSettings settings, Health health, Supplier<String> metrics, String openApi, List<Route> routes)
            throws PortInUseException {
        return start(settings, Security.none(), MemoryBudget.unlimited(), health, metrics, openApi, () -> routes);
    }

    /**
     * Starts listening.
     *
     * @param security what is asked of callers
     * @param budget of which requests and answers hold parts
     * @param metrics gives the Prometheus text
     * @param openApi class-path resource with the service's description
     * @param routes the service's own calls
     * @throws PortInUseException when the port is taken
     */
    public static HttpServer start(
            HttpSettings settings,
            Security security,
            MemoryBudget budget,
            Health health,
            Supplier<String> metrics,
            String openApi,
            ServiceRoutes routes)
            throws PortInUseException {
        return start(settings, security, budget, new CommonRoutes(routes, security, health, metrics, openApi));
    }

    /** Starts listening for these calls and no others. */
    public static HttpServer start(HttpSettings settings, Security security, MemoryBudget budget, ServiceRoutes routes)
            throws PortInUseException {
        HttpServer started = ServerAssembly.of(settings, security, new HttpMemory(budget), routes);
        try {
            started.server.start();
            return started;
        } catch (Exception e) {
            started.close();
            if (e instanceof BindException || e.getCause() instanceof BindException) {
                throw new PortInUseException(settings.host(), settings.port());
            }
            throw e instanceof RuntimeException known
                    ? known
                    : new UncheckedIOException(new IOException("Expected to listen on " + settings.host(), e));
        }
    }

    /** Where it listens, as clients write it. */
    public String url() {
        return (security.tls().isPresent() ? "https" : "http") + "://" + host + ":" + port();
    }

    /** The port it listens on. */
    public int port() {
        return listener.getLocalPort();
    }

    /** Puts certificates and tokens in force whose files have changed. */
    void refreshSecurity() {
        security.refresh();
    }

    /** How many clients are connected. */
    int connections() {
        return listener.getConnectedEndPoints().size();
    }

    /** How many requests wait for their client to send or to take something. */
    int waitingForClients() {
        return slow.watched();
    }

    /** Cuts off clients that are too slow; how many. By one thread. */
    int closeSlowClients(Instant now) {
        return slow.look(listener, now);
    }

    /**
     * Each answer from now on ends its connection. Requests that take longer than the drain time are cut off, which
     * does not make closing fail.
     */
    @Override
    public void close() {
        limit.stop();
        long silence = server.getStopTimeout() / SILENT_PART;
        waitForAnswers(Duration.ofMillis(silence));
        // An idle connection that its client keeps for later must not use up the drain time. A client that sends
        // another request gets an answer that closes the connection.
        listener.setShutdownIdleTimeout(silence);
        slow.endRests();
        try {
            server.stop();
        } catch (Exception e) {
            LOGGER.warn("Stopped listening, but some requests did not end in time", e);
        }
    }

    /** Jetty, once it stops, closes the connections of answers that have begun without having said so. */
    private void waitForAnswers(Duration most) {
        try {
            BoundedWait.until(limit::keepsNone, most, STEP);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
