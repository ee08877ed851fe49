package dev.tidemark.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import org.jspecify.annotations.Nullable;

/** A service that gives prepared answers in their order, and remembers the requests. */
final class StubService implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ConcurrentLinkedQueue<Handler> answers = new ConcurrentLinkedQueue<>();

    /** What came: method, path with query, and body. */
    final List<String> requests = new CopyOnWriteArrayList<>();

    /** Headers of what came. */
    final List<Map<String, List<String>>> headers = new CopyOnWriteArrayList<>();

    /** Gives one answer. */
    interface Handler {
        void handle(HttpExchange exchange) throws IOException;
    }

    private StubService(HttpServer server) {
        this.server = server;
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    static StubService start() {
        try {
            return new StubService(HttpServer.create(anyPort(), 0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static StubService startWith(HttpsConfigurator tls) throws IOException {
        HttpsServer server = HttpsServer.create(anyPort(), 0);
        server.setHttpsConfigurator(tls);
        return new StubService(server);
    }

    private static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    String url() {
        String scheme = server instanceof HttpsServer ? "https" : "http";
        return scheme + "://127.0.0.1:" + server.getAddress().getPort();
    }

    /** The next answer, JSON with single quotes. */
    StubService answers(int status, String json, String... moreHeaders) {
        return handles(exchange -> {
            String type = status < 400 ? "application/json" : "application/problem+json";
            exchange.getResponseHeaders().set("Content-Type", type);
            for (int i = 0; i < moreHeaders.length; i += 2) {
                exchange.getResponseHeaders().set(moreHeaders[i], moreHeaders[i + 1]);
            }
            byte[] body = json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        });
    }

    StubService handles(Handler handler) {
        answers.add(handler);
        return this;
    }

    /** The next request is taken and its connection closed. */
    StubService breaksOff() {
        return handles(HttpExchange::close);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            headers.add(Map.copyOf(exchange.getRequestHeaders()));
            @Nullable Handler next = answers.poll();
            String line = exchange.getRequestMethod() + " " + exchange.getRequestURI();
            byte[] body = next instanceof Reader
                    ? new byte[0]
                    : exchange.getRequestBody().readAllBytes();
            requests.add((line + " " + new String(body, StandardCharsets.UTF_8)).strip());
            if (next == null) {
                throw new IllegalStateException("No answer is left for " + line);
            }
            next.handle(exchange);
        }
    }

    /** A handler that reads the body itself. */
    interface Reader extends Handler {}

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
