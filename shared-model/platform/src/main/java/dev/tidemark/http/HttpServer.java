package dev.tidemark.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.RetainableByteBuffer;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.component.Graceful;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.runtime.Agent;
import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.runtime.PeriodicAgent;

/**
 * A service's HTTP side: its own routes, and {@code /health/live}, {@code /health/ready}, {@code /metrics},
 * {@code /openapi.yaml}. Closing it stops accepting, then lets requests under way finish.
 */
public final class HttpServer implements AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(HttpServer.class);

    /** The part of the drain time for which a connection may be silent. */
    private static final int SILENT_PART = 5;

    private static final Duration STEP = Duration.ofMillis(5);
    private static final Duration GUARD_EVERY = Duration.ofMillis(500);

    private static final int AUTOMATIC = -1;
    /** Beside those that read: one accepts, one completes answers, the others take what these leave. */
    private static final int MORE_NETWORK_THREADS = 6;
    /**
     * What the system holds for a client that is slow. It makes room by large parts of this, so with much more a reader
     * that is fast enough would seem to take nothing for a while.
     */
    private static final int SEND_BUFFER_BYTES = 64 * 1024;
    /**
     * How many connections the system holds until they are accepted. With the usual fifty, a flood makes the system
     * drop the requests of others to connect, who try again after seconds.
     */
    private static final int ACCEPT_QUEUE = 4_096;

    private final Server server;
    private final ServerConnector listener;
    private final ConnectionLimit limit;
    private final SlowClientReaper slow;
    private final HttpSettings settings;
    private final Security security;
    private volatile ServerContext serving;

    /** Puts a server together. It has few threads for the network, which never wait, and those for handlers. */
    private HttpServer(
            HttpSettings settings, Security security, HttpMemory memory, List<Route> routes, ServiceRoutes own) {
        this.settings = settings;
        this.security = security;
        // Direct calls are answered by the threads that read: one for each processor, as far as there are enough
        // handlers.
        int readers = Math.max(1, Math.min(Runtime.getRuntime().availableProcessors(), settings.threads() / 8));
        QueuedThreadPool network = threads("network", readers + MORE_NETWORK_THREADS);
        QueuedThreadPool handlers = threads("http", settings.threads());
        ListenerThreads turns = new ListenerThreads(network);
        this.server = new Server(network);
        server.addBean(handlers);
        this.listener = listener(server, turns, readers, settings, security);
        this.limit = new ConnectionLimit(listener, settings.limits().connections());
        listener.addBean(limit);
        server.addConnector(listener);
        this.slow = new SlowClientReaper(settings.limits());
        this.serving = new ServerContext(
                new RouteTable(routes, own.forwarder().isPresent()),
                own,
                new RequestRules(settings.host(), settings.allowedHosts(), security.isClosed()),
                security.gate(),
                memory,
                slow,
                handlers,
                turns.oneByOne(),
                limit);
        server.setErrorHandler(new JettyProblems());
        server.setHandler(new Draining(new Router(() -> serving)));
        server.setStopTimeout(settings.drain().toMillis());
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
        List<Route> all = CommonRoutes.before(routes, security, health, metrics, openApi);
        return start(settings, security, budget, all, routes);
    }

    /** Starts listening for the calls by which a process is watched, health and metrics, and no others. */
    public static HttpServer start(HttpSettings settings, Security security, Health health, Supplier<String> metrics)
            throws PortInUseException {
        List<Route> observed = CommonRoutes.observed(security, health, metrics);
        return start(settings, security, MemoryBudget.unlimited(), () -> observed);
    }

    /** Starts listening for these calls and no others. */
    public static HttpServer start(HttpSettings settings, Security security, MemoryBudget budget, ServiceRoutes routes)
            throws PortInUseException {
        return start(settings, security, budget, routes.routes(), routes);
    }

    private static HttpServer start(
            HttpSettings settings, Security security, MemoryBudget budget, List<Route> routes, ServiceRoutes own)
            throws PortInUseException {
        HttpServer started = new HttpServer(settings, security, new HttpMemory(budget), routes, own);
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

    /** Answers with other calls from now on; otherwise as at the start. Requests under way go on as they began. */
    public void serve(Health health, Supplier<String> metrics, String openApi, ServiceRoutes routes) {
        serving = serving.with(CommonRoutes.before(routes, security, health, metrics, openApi), routes);
    }

    /** Where it listens, as clients write it. */
    public String url() {
        return settings.url(security.tls().isPresent(), port());
    }

    /** The port it listens on. */
    public int port() {
        return listener.getLocalPort();
    }

    /** Puts certificates and tokens in force whose files have changed. */
    void refreshSecurity() {
        security.refresh();
    }

    /**
     * The thread {@code guard}: puts changed certificates and tokens in force, and cuts off clients that are too slow.
     *
     * @param peers whose credentials are looked after too
     */
    public Agent guard(List<ServiceClient> peers, Clock clock) {
        List<Runnable> steps = new ArrayList<>();
        steps.add(() -> closeSlowClients(clock.instant()));
        steps.add(this::refreshSecurity);
        peers.forEach(peer -> steps.add(peer::refresh));
        return new PeriodicAgent("guard", Duration.ZERO, GUARD_EVERY, steps, clock);
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

    private static ServerConnector listener(
            Server server, ListenerThreads turns, int readers, HttpSettings settings, Security security) {
        ConnectionFactory plain = new BoundedHeaders(limited());
        ConnectionFactory[] protocols = security.tls()
                .map(tls -> new ConnectionFactory[] {tls.connections(), plain})
                .orElseGet(() -> new ConnectionFactory[] {plain});
        ServerConnector listener =
                new ServerConnector(server, turns, null, new ListenerBuffers(), AUTOMATIC, readers, protocols);
        listener.setHost(settings.host());
        listener.setPort(settings.port());
        listener.setAcceptedSendBufferSize(SEND_BUFFER_BYTES);
        listener.setAcceptQueueSize(ACCEPT_QUEUE);
        listener.setIdleTimeout(settings.limits().idle().toMillis());
        return listener;
    }

    private static QueuedThreadPool threads(String name, int most) {
        QueuedThreadPool pool = new QueuedThreadPool(most, Math.min(8, most));
        pool.setName(name);
        return pool;
    }

    private static HttpConfiguration limited() {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setSendXPoweredBy(false);
        http.setUseInputDirectByteBuffers(false);
        http.setRequestHeaderSize(HttpLimits.HEADER_BYTES);
        // A key may hold any character, percent-encoded: slashes, dots and percent signs too.
        http.setUriCompliance(
                UriCompliance.from(
                        "DEFAULT,AMBIGUOUS_PATH_SEPARATOR,AMBIGUOUS_PATH_ENCODING,"
                                + "AMBIGUOUS_PATH_SEGMENT,AMBIGUOUS_EMPTY_SEGMENT,AMBIGUOUS_PATH_PARAMETER,SUSPICIOUS_PATH_CHARACTERS"));
        return http;
    }

    /**
     * Waits for requests under way when the server stops. What comes on kept connections meanwhile is answered and
     * waited for too, and ends them; Jetty's own handler refuses it with 503.
     */
    private static final class Draining extends Handler.Wrapper implements Graceful {
        private final AtomicInteger underWay = new AtomicInteger();
        private final Graceful.Shutdown shutdown = new Graceful.Shutdown(this) {
            @Override
            public boolean isShutdownDone() {
                return underWay.get() == 0;
            }
        };

        Draining(Router router) {
            super(router);
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) throws Exception {
            underWay.incrementAndGet();
            return super.handle(request, response, Callback.from(callback, this::ended));
        }

        private void ended() {
            underWay.decrementAndGet();
            shutdown.check();
        }

        @Override
        public CompletableFuture<Void> shutdown() {
            return shutdown.shutdown();
        }

        @Override
        public boolean isShutdown() {
            return shutdown.isShutdown();
        }
    }

    /** Where requests come in, on the threads that read the network. */
    private static final class Router extends Handler.Abstract.NonBlocking {
        private final Supplier<ServerContext> serving;

        Router(Supplier<ServerContext> serving) {
            this.serving = serving;
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            new Exchange(serving.get(), request, response, callback).begin();
            return true;
        }
    }

    /**
     * The buffers of a listener. A pool lends those that answers are written from, which are direct. A buffer that a
     * request is read into is on the heap, and never used again: after a malformed request, Jetty 12.1 may return it
     * twice, from two threads. A pool would then lend it to two connections at a time, and a client could be sent what
     * is meant for another.
     */
    private static final class ListenerBuffers extends ByteBufferPool.Wrapper {
        ListenerBuffers() {
            super(new ArrayByteBufferPool());
        }

        @Override
        public RetainableByteBuffer.Mutable acquire(int size, boolean direct) {
            return direct ? super.acquire(size, true) : ByteBufferPool.NON_POOLING.acquire(size, false);
        }
    }
}
