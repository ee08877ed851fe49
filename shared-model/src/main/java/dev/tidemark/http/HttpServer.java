package dev.tidemark.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.util.JavalinBindException;
import io.javalin.util.JavalinException;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A service's HTTP side: its own routes, and {@code /health/live}, {@code /health/ready}, {@code /metrics},
 * {@code /openapi.yaml}. Closing it stops accepting, then lets requests under way finish.
 */
public final class HttpServer implements AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(HttpServer.class);
    private static final int AUTOMATIC = -1;
    private static final Duration IDLE_AT_SHUTDOWN = Duration.ofMillis(100);
    private static final Duration IDLE_WHEN_CROWDED = Duration.ofSeconds(2);

    private final Javalin javalin;
    private final String host;
    private final Security security;
    private final SlowClients slow;

    private HttpServer(Javalin javalin, HttpSettings settings, Security security) {
        this.javalin = javalin;
        this.host = settings.host();
        this.security = security;
        ServerConnector listener =
                (ServerConnector) javalin.jettyServer().server().getConnectors()[0];
        this.slow = new SlowClients(listener, settings.limits());
    }

    /** Starts listening without TLS and tokens; otherwise as the other. */
    public static HttpServer start(
            HttpSettings settings,
            Health health,
            Supplier<String> metrics,
            String openApi,
            Consumer<RoutesConfig> routes)
            throws PortInUseException {
        return start(settings, Security.none(), health, metrics, openApi, routes);
    }

    /** Starts listening for calls of which none is answered more directly; otherwise as the other. */
    public static HttpServer start(
            HttpSettings settings,
            Security security,
            Health health,
            Supplier<String> metrics,
            String openApi,
            Consumer<RoutesConfig> routes)
            throws PortInUseException {
        return start(settings, security, health, metrics, openApi, new ServiceRoutes() {
            @Override
            public void addTo(RoutesConfig config) {
                routes.accept(config);
            }

            @Override
            public List<DirectCall> direct() {
                return List.of();
            }
        });
    }

    /**
     * Starts listening.
     *
     * @param security what is asked of callers
     * @param metrics gives the Prometheus text
     * @param openApi class-path resource with the service's description
     * @param routes the service's own calls
     * @throws PortInUseException when the port is taken
     */
    public static HttpServer start(
            HttpSettings settings,
            Security security,
            Health health,
            Supplier<String> metrics,
            String openApi,
            ServiceRoutes routes)
            throws PortInUseException {
        byte[] description = resource(openApi);
        Javalin javalin = Javalin.create(config -> {
            configure(config, settings, security, routes.direct());
            ErrorMapping.addTo(config.routes);
            config.routes.before(RequestRules::check);
            security.gate().ifPresent(gate -> config.routes.beforeMatched(gate::check));
            HealthRoutes.addTo(
                    config.routes,
                    () -> Stream.concat(health.readiness().stream(), security.notes().stream())
                            .toList());
            config.routes.get("/metrics", context -> plain(context, metrics.get()), Need.METRICS);
            config.routes.get(
                    "/openapi.yaml",
                    context -> context.contentType("application/yaml").result(description),
                    Need.NOTHING);
            routes.addTo(config.routes);
        });
        try {
            return new HttpServer(javalin.start(), settings, security);
        } catch (JavalinBindException e) {
            throw new PortInUseException(settings.host(), settings.port());
        }
    }

    /** Where it listens, as clients write it. */
    public String url() {
        return (security.tls().isPresent() ? "https" : "http") + "://" + host + ":" + port();
    }

    /** The port it listens on. */
    public int port() {
        return javalin.port();
    }

    /** Puts certificates and tokens in force whose files have changed. */
    void refreshSecurity() {
        security.refresh();
    }

    /** How many clients are connected. */
    int connections() {
        return slow.connections();
    }

    /** Closes the connections of clients that are too slow; how many. By one thread. */
    int closeSlowClients(Instant now) {
        return slow.look(now);
    }

    /** Requests that take longer than the drain time are cut off, which does not make closing fail. */
    @Override
    public void close() {
        for (Connector connector : javalin.jettyServer().server().getConnectors()) {
            if (connector instanceof AbstractConnector listener) {
                // A client that keeps a connection for later must not use up the drain time.
                listener.setShutdownIdleTimeout(IDLE_AT_SHUTDOWN.toMillis());
            }
        }
        try {
            javalin.stop();
        } catch (JavalinException e) {
            LOGGER.warn("Stopped listening, but some requests did not end in time", e);
        }
    }

    private static void configure(
            JavalinConfig config, HttpSettings settings, Security security, List<DirectCall> direct) {
        config.startup.showJavalinBanner = false;
        config.http.prefer405over404 = true;
        config.http.maxRequestSize = Long.MAX_VALUE;
        config.http.defaultContentType = "application/json";
        QueuedThreadPool pool = threads(settings.threads());
        Turns turns = new Turns(pool);
        config.jetty.threadPool = pool;
        config.jetty.modifyHttpConfiguration(HttpServer::limit);
        config.jetty.modifyServletContextHandler(
                context -> context.getServletHandler().setDecodeAmbiguousURIs(true));
        config.jetty.modifyServer(
                server -> prepare(server, settings, new DirectHandler(direct, security.gate(), turns)));
        config.jetty.addConnector((server, http) -> listener(server, turns, http, settings, security));
    }

    private static ServerConnector listener(
            Server server, Turns turns, HttpConfiguration http, HttpSettings settings, Security security) {
        HttpConnectionFactory plain = new HttpConnectionFactory(http);
        // Direct calls are answered by the threads that read: one for each processor, as far as the pool has enough.
        int readers = Math.max(1, Math.min(Runtime.getRuntime().availableProcessors(), settings.threads() / 8));
        ServerConnector listener = security.tls()
                .map(tls ->
                        new ServerConnector(server, turns, null, null, AUTOMATIC, readers, tls.connections(), plain))
                .orElseGet(() -> new ServerConnector(server, turns, null, null, AUTOMATIC, readers, plain));
        listener.setHost(settings.host());
        listener.setPort(settings.port());
        listener.setIdleTimeout(settings.limits().idle().toMillis());
        NetworkConnectionLimit most =
                new NetworkConnectionLimit(settings.limits().connections(), listener);
        most.setEndPointIdleTimeout(IDLE_WHEN_CROWDED.toMillis());
        listener.addBean(most);
        return listener;
    }

    private static QueuedThreadPool threads(int most) {
        QueuedThreadPool pool = new QueuedThreadPool(most, Math.min(8, most));
        pool.setName("http");
        return pool;
    }

    private static void limit(HttpConfiguration http) {
        http.setSendServerVersion(false);
        http.setRequestHeaderSize(HttpLimits.USUAL.headerBytes());
        // A key may hold any character, percent-encoded: slashes, dots and percent signs too.
        http.setUriCompliance(
                UriCompliance.from(
                        "DEFAULT,AMBIGUOUS_PATH_SEPARATOR,AMBIGUOUS_PATH_ENCODING,"
                                + "AMBIGUOUS_PATH_SEGMENT,AMBIGUOUS_EMPTY_SEGMENT,AMBIGUOUS_PATH_PARAMETER,SUSPICIOUS_PATH_CHARACTERS"));
    }

    private static void prepare(Server server, HttpSettings settings, DirectHandler direct) {
        server.setErrorHandler(new JettyProblems());
        server.setHandler(new GracefulHandler(direct));
        server.setStopTimeout(settings.drain().toMillis());
    }

    private static void plain(Context context, String text) {
        context.contentType("text/plain; version=0.0.4; charset=utf-8").result(text.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] resource(String name) {
        try (InputStream in = HttpServer.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalArgumentException("Expected a resource " + name + " on the class path");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
