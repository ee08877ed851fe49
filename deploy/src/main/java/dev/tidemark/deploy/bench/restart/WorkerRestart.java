package dev.tidemark.deploy.bench.restart;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Stream;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.build.IndexBuilder;
import dev.tidemark.deploy.bench.race.Figure;
import dev.tidemark.deploy.bench.race.Ground;
import dev.tidemark.deploy.bench.race.Racer;
import dev.tidemark.deploy.stack.ChildProcess;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.runtime.Waiting;

/** Tidemark's worker, killed and started again. */
final class WorkerRestart implements Racer {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration STEP = Duration.ofMillis(5);

    private final Ground ground;
    private final IndexBuilder table;
    private final Asked asked;

    WorkerRestart(Ground ground, IndexBuilder table, Asked asked) {
        this.ground = ground;
        this.table = table;
        this.asked = asked;
    }

    @Override
    public String name() {
        return table.name();
    }

    @Override
    public Map<Figure, Double> run() throws BenchException, InterruptedException {
        ChildProcess worker = ground.stack().child(Role.WORKER);
        worker.kill();
        worker.awaitEnd(PATIENCE);
        Instant began = ground.clock().instant();
        worker.start();
        while (!asked.answers(ground.stack().workerUrl())) {
            if (ground.clock().instant().isAfter(began.plus(PATIENCE))) {
                throw new BenchException("the worker did not answer within " + PATIENCE.toMinutes() + " minutes");
            }
            Waiting.rest(STEP);
        }
        double seconds = Duration.between(began, ground.clock().instant()).toNanos() / 1e9;
        // Loading nothing waits until it is steady again.
        table.load(Stream.empty());
        return Map.of(Figure.RESTART, seconds);
    }

    @Override
    public void close() {
        table.close();
    }
}
