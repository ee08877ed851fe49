package dev.tidemark.deploy.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

import dev.tidemark.testkit.ManualClock;
import dev.tidemark.worker.query.GroupQueries;

/** Lets time pass when somebody waits for that. */
final class SimulatedTimer implements GroupQueries.Timer {
    private final ManualClock clock;
    private final TreeMap<Instant, Deque<CompletableFuture<Instant>>> waiting = new TreeMap<>();

    SimulatedTimer(ManualClock clock) {
        this.clock = clock;
    }

    @Override
    public CompletableFuture<?> after(Duration time) {
        CompletableFuture<Instant> passed = new CompletableFuture<>();
        Instant due = clock.instant().plus(time.isNegative() ? Duration.ZERO : time);
        waiting.computeIfAbsent(due, any -> new ArrayDeque<>()).add(passed);
        return passed;
    }

    /** Lets time pass until something is done. What waits for later is forgotten. */
    void pass(CompletableFuture<?> until) {
        while (!until.isDone()) {
            Map.Entry<Instant, Deque<CompletableFuture<Instant>>> next = waiting.firstEntry();
            CompletableFuture<Instant> passed = next.getValue().remove();
            if (next.getValue().isEmpty()) {
                waiting.remove(next.getKey());
            }
            if (!passed.isDone()) {
                Duration left = Duration.between(clock.instant(), next.getKey());
                clock.advance(left.isNegative() ? Duration.ZERO : left);
                passed.complete(next.getKey());
            }
        }
        waiting.clear();
    }
}
