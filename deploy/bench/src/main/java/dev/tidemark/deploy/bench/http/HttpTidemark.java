package dev.tidemark.deploy.bench.http;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.CustomerRow;
import dev.tidemark.deploy.bench.TidemarkTarget;

/** Both services over HTTP/1.1 with keep-alive, at most 64 requests under way; the others wait for a connection. */
public final class HttpTidemark implements TidemarkTarget {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String ROWS = "/v1/tables/customers/rows";
    private static final String ENTRIES = "/v1/indexes/by_town_last_name/entries?limit=1&town=";

    private static final int CONNECTIONS = 64;

    private final RequestLimiter lanes = new RequestLimiter(CONNECTIONS);
    private final HttpCalls calls = new HttpCalls(
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .executor(Runnable::run)
                    .connectTimeout(PATIENCE)
                    .build(),
            PATIENCE);
    private final URI writer;
    private final URI worker;

    public HttpTidemark(URI writer, URI worker) {
        this.writer = writer;
        this.worker = worker;
    }

    @Override
    public CompletableFuture<String> put(CustomerRow customer) {
        return send(calls.to(writer, ROWS + "/" + customer.id(), "application/json")
                        .PUT(HttpRequest.BodyPublishers.ofString(customer.json())))
                .thenApply(answer -> answer.path("token").asText());
    }

    @Override
    public CompletableFuture<String> load(List<CustomerRow> customers) {
        String lines = customers.stream().map(CustomerRow::json).collect(Collectors.joining("\n"));
        return send(calls.to(writer, ROWS, "application/x-ndjson").POST(HttpRequest.BodyPublishers.ofString(lines)))
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
        return send(calls.to(worker, ENTRIES + parameters)).thenApply(answer -> null);
    }

    @Override
    public String workerMetrics() throws BenchException, InterruptedException {
        return calls.send(calls.to(worker, "/metrics")).body();
    }

    private CompletableFuture<JsonNode> send(HttpRequest.Builder request) {
        return lanes.enter(() -> calls.client().sendAsync(request.build(), HttpResponse.BodyHandlers.ofString()))
                .thenApply(response -> {
                    try {
                        return HttpCalls.Answer.of(response).json();
                    } catch (BenchException e) {
                        throw new CompletionException(e);
                    }
                });
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
