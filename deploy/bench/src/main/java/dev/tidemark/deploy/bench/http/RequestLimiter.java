package dev.tidemark.deploy.bench.http;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Limits the number of requests under way, as an application's connection pool does; the others wait their turn. For
 * any thread.
 */
final class RequestLimiter {
    private final Deque<CompletableFuture<@Nullable Void>> waiting = new ArrayDeque<>();
    private int free;

    RequestLimiter(int lanes) {
        this.free = lanes;
    }

    /** Starts the request once a slot is free and returns its response. */
    <T> CompletableFuture<T> enter(Supplier<CompletableFuture<T>> request) {
        CompletableFuture<@Nullable Void> turn = new CompletableFuture<>();
        CompletableFuture<T> result = turn.thenCompose(go -> request.get()).whenComplete((value, failure) -> leave());
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
