package dev.tidemark.worker.testkit;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Runs what waits in a thread of its own: the pool that all share has but one where there are two processors. */
public final class OwnThread {
    private OwnThread() {}

    /** Begins at once. */
    public static <T> CompletableFuture<T> supply(Supplier<T> work) {
        return CompletableFuture.supplyAsync(work, task -> {
            Thread thread = new Thread(task, "own");
            thread.setDaemon(true);
            thread.start();
        });
    }
}
