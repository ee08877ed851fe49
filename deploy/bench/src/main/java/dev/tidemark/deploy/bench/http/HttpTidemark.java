package dev.tidemark.deploy.bench.http;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.CustomerRow;
import dev.tidemark.deploy.bench.TidemarkTarget;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;

/** Both services over HTTP/1.1 with keep-alive, at most 64 requests under way; the others wait for a connection. */
public final class HttpTidemark implements TidemarkTarget {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String ROWS = "/v1/tables/customers/rows";
    private static final String ENTRIES = "/v1/indexes/by_town_last_name/entries?limit=1&town=";

    private static final int CONNECTIONS = 64;

    private final RequestLimiter lanes = new RequestLimiter(CONNECTIONS);
    private final HttpClient client;
    private final URI writer;
    private final URI worker;

    public HttpTidemark(URI writer, URI worker) {
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .executor(Runnable::run)
                .connectTimeout(PATIENCE)
                .build();
        this.writer = writer;
        this.worker = worker;
    }

    @Override
    public CompletableFuture<String> put(CustomerRow customer) {
        return send(HttpRequest.newBuilder(writer.resolve(ROWS + "/" + customer.id()))
                        .header("Content-Type", "application/json")
                        .PUT(HttpRequest.BodyPublishers.ofString(customer.json())))
                .thenApply(answer -> answer.path("token").asText());
    }

    @Override
    public CompletableFuture<String> load(List<CustomerRow> customers) {
        String lines = customers.stream().map(CustomerRow::json).collect(Collectors.joining("\n"));
        return send(HttpRequest.newBuilder(writer.resolve(ROWS))
                        .header("Content-Type", "application/x-ndjson")
                        .POST(HttpRequest.BodyPublishers.ofString(lines)))
                .thenApply(answer -> {
                    if (answer.path("committed").asInt() != customers.size()) {
                        throw new IllegalStateException("expected all lines to be committed, but got " + answer);
                    }
                    return answer.path("token").asText();
                });
    }

    @Override
    public CompletableFuture<Void> query(String town, String token, Duration patience) {
        String parameters = encode(town) + "&token=" + encode(token) + "&wait=" + patience.toMillis() + "ms";
        return send(HttpRequest.newBuilder(worker.resolve(ENTRIES + parameters)).GET())
                .thenApply(answer -> null);
    }

    @Override
    public String workerMetrics() throws BenchException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(worker.resolve("/metrics"))
                .timeout(PATIENCE)
                .build();
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
        } catch (IOException e) {
            throw new BenchException("the worker does not tell its metrics: " + e.getMessage(), e);
        }
    }

    private CompletableFuture<JsonNode> send(HttpRequest.Builder request) {
        HttpRequest built = request.timeout(PATIENCE).build();
        return lanes.enter(() -> client.sendAsync(built, HttpResponse.BodyHandlers.ofByteArray()))
                .thenApply(HttpTidemark::json);
    }

    private static JsonNode json(HttpResponse<byte[]> response) {
        String text = new String(response.body(), StandardCharsets.UTF_8);
        if (response.statusCode() / 100 != 2) {
            throw new IllegalStateException(response.uri() + " answered " + response.statusCode() + ": " + text);
        }
        try {
            return RowJson.parseEnvelope(response.body());
        } catch (BadJsonException e) {
            throw new IllegalStateException(response.uri() + " answered " + text, e);
        }
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
