package dev.tidemark.worker.http;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.tidemark.http.ServiceClient;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;
import dev.tidemark.worker.testkit.ChangeLog;

/** A writer that has a row of a number of bytes for every key but 0. */
final class LookupWriter implements AutoCloseable {
    /** Keys of each lookup. */
    final List<Integer> lookups = new CopyOnWriteArrayList<>();

    volatile int status = 200;
    volatile int rowBytes = 100;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;
    private final ServiceConnection connection;

    LookupWriter() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::serve);
        server.start();
        connection = new ServiceConnection(ServiceClient.plain(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/")));
    }

    ServiceConnection connection() {
        return connection;
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            JsonNode keys = RowJson.parseObject(exchange.getRequestBody().readAllBytes())
                    .path("keys");
            lookups.add(keys.size());
            exchange.sendResponseHeaders(status, 0);
            try (OutputStream out = exchange.getResponseBody()) {
                text(out, "{\"rows\":[");
                for (int i = 0; i < keys.size(); i++) {
                    text(out, (i == 0 ? "" : ",") + row(keys.get(i).intValue()));
                }
                text(out, "],\"from\":\"" + ChangeLog.version(1) + "\",\"to\":\"" + ChangeLog.version(2) + "\"}");
            }
        } catch (BadJsonException e) {
            throw new IOException(e);
        }
    }

    /** Exactly so many bytes of row. */
    String json(int key) {
        String begin = "{\"id\":" + key + ",\"about\":\"";
        return begin + "x".repeat(Math.max(0, rowBytes - begin.length() - 2)) + "\"}";
    }

    private String row(int key) {
        return key == 0
                ? "null"
                : "{\"key\":" + key + ",\"version\":\"" + ChangeLog.version(1) + "\",\"row\":" + json(key) + "}";
    }

    private static void text(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        connection.close();
        server.stop(0);
        threads.shutdownNow();
    }
}
