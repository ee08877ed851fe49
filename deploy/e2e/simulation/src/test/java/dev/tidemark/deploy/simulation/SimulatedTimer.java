package dev.tidemark.deploy.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.tidemark.testkit.ManualClock;
import dev.tidemark.worker.query.GroupQueries;

/** Lets time pass when somebody waits for that. */
final class SimulatedTimer implements GroupQueries.Timer {
    private final ManualClock clock;
    private final TreeMap<Instant, Deque<Runnable>> waiting = new TreeMap<>();

    SimulatedTimer(ManualClock clock) {
        this.clock = clock;
    }

    @Override
    public Runnable after(Duration time, Runnable task) {
        Instant due = clock.instant().plus(time.isNegative() ? Duration.ZERO : time);
        AtomicBoolean cancelled = new AtomicBoolean();
        waiting.computeIfAbsent(due, any -> new ArrayDeque<>()).add(() -> {
            if (!cancelled.get()) {
                Duration left = Duration.between(clock.instant(), due);
                clock.advance(left.isNegative() ? Duration.ZERO : left);
                task.run();
            }
        });
        return () -> cancelled.set(true);
    }

    /** Lets time pass until something is done. What waits for later is forgotten. */
    void pass(CompletableFuture<?> until) {
        while (!until.isDone()) {
            Map.Entry<Instant, Deque<Runnable>> next = waiting.firstEntry();
            Runnable task = next.getValue().remove();
            if (next.getValue().isEmpty()) {
                waiting.remove(next.getKey());
            }
            task.run();
        }
        waiting.clear();
    }
}
