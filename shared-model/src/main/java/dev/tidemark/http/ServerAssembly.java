package dev.tidemark.http;

import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * Puts a server together. It has two kinds of threads: few for the network, which never wait, and those for handlers,
 * which may wait for the service itself.
 */
final class ServerAssembly {
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

    private ServerAssembly() {}

    static HttpServer of(HttpSettings settings, Security security, HttpMemory memory, ServiceRoutes routes) {
        // Direct calls are answered by the threads that read: one for each processor, as far as there are enough
        // handlers.
        int readers = Math.max(1, Math.min(Runtime.getRuntime().availableProcessors(), settings.threads() / 8));
        QueuedThreadPool network = threads("network", readers + MORE_NETWORK_THREADS);
        QueuedThreadPool handlers = threads("http", settings.threads());
        ListenerThreads turns = new ListenerThreads(network);
        Server server = new Server(network);
        server.addBean(handlers);
        ServerConnector listener = listener(server, turns, readers, settings, security);
        ConnectionLimit limit = new ConnectionLimit(listener, settings.limits().connections());
        listener.addBean(limit);
        server.addConnector(listener);
        SlowClientReaper slow = new SlowClientReaper(settings.limits());
        ServerContext serving = new ServerContext(
                new RouteTable(routes.routes()),
                new RequestRules(HostRule.of(settings.host(), settings.allowedHosts(), security.isClosed())),
                security.gate(),
                memory,
                slow,
                handlers,
                turns.oneByOne(),
                routes::problem,
                limit);
        server.setErrorHandler(new JettyProblems());
        server.setHandler(new Draining(new Router(serving)));
        server.setStopTimeout(settings.drain().toMillis());
        return new HttpServer(server, listener, limit, slow, settings.host(), security);
    }

    private static ServerConnector listener(
            Server server, ListenerThreads turns, int readers, HttpSettings settings, Security security) {
        HttpConnectionFactory plain = new HttpConnectionFactory(limited());
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
        http.setRequestHeaderSize(HttpLimits.USUAL.headerBytes());
        // A key may hold any character, percent-encoded: slashes, dots and percent signs too.
        http.setUriCompliance(
                UriCompliance.from(
                        "DEFAULT,AMBIGUOUS_PATH_SEPARATOR,AMBIGUOUS_PATH_ENCODING,"
                                + "AMBIGUOUS_PATH_SEGMENT,AMBIGUOUS_EMPTY_SEGMENT,AMBIGUOUS_PATH_PARAMETER,SUSPICIOUS_PATH_CHARACTERS"));
        return http;
    }

    /**
     * Waits for requests under way when the server stops; what comes on kept connections meanwhile is answered, and
     * ends them.
     */
    private static final class Draining extends GracefulHandler {
        Draining(Router router) {
            super(router);
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) throws Exception {
            return isShutdown()
                    ? getHandler().handle(request, response, callback)
                    : super.handle(request, response, callback);
        }
    }

    /** Where requests come in, on the threads that read the network. */
    private static final class Router extends Handler.Abstract.NonBlocking {
        private final ServerContext serving;

        Router(ServerContext serving) {
            this.serving = serving;
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            new Exchange(serving, request, response, callback).begin();
            return true;
        }
    }
}
