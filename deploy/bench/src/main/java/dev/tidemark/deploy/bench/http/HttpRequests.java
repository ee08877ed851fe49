package dev.tidemark.deploy.bench.http;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import dev.tidemark.deploy.bench.BenchSystems;
import dev.tidemark.deploy.target.ServiceCaller.Reply;

/** Requests over HTTP/1.1 with keep-alive, at most 64 under way, as with an application's pool of connections. */
public final class HttpRequests implements BenchSystems.ParallelRequests {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int CONNECTIONS = 64;

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .executor(Runnable::run)
            .connectTimeout(PATIENCE)
            .build();
    private final Deque<CompletableFuture<@Nullable Void>> waiting = new ArrayDeque<>();
    private int free = CONNECTIONS;

    @Override
    public CompletableFuture<Reply> send(String method, URI uri, String type, String body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(PATIENCE);
        if (!type.isEmpty()) {
            request.header("Content-Type", type);
        }
        request.method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        CompletableFuture<@Nullable Void> turn = new CompletableFuture<>();
        CompletableFuture<Reply> result = turn.thenCompose(
                        go -> client.sendAsync(request.build(), BodyHandlers.ofString()))
                .whenComplete((response, failure) -> leave())
                .thenApply(response -> new Reply(response.statusCode(), response.body()));
        if (admit(turn)) {
            turn.complete(null);
        }
        return result;
    }

    private synchronized boolean admit(CompletableFuture<@Nullable Void> turn) {
        if (free == 0) {
            waiting.addLast(turn);
            return false;
        }
        free--;
        return true;
    }

    private void leave() {
        CompletableFuture<@Nullable Void> next = next();
        if (next != null) {
            next.complete(null);
        }
    }

    private synchronized @Nullable CompletableFuture<@Nullable Void> next() {
        CompletableFuture<@Nullable Void> first = waiting.pollFirst();
        if (first == null) {
            free++;
        }
        return first;
    }
}
