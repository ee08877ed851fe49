package dev.tidemark.deploy.bench.restart;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Stream;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.build.IndexBuilder;
import dev.tidemark.deploy.bench.scenario.Contender;
import dev.tidemark.deploy.bench.scenario.Figure;
import dev.tidemark.deploy.bench.scenario.ScenarioContext;
import dev.tidemark.deploy.stack.ChildProcess;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.runtime.BoundedWait;

/** Tidemark's worker, killed and started again. */
final class WorkerRestart implements Contender {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration STEP = Duration.ofMillis(5);

    private final ScenarioContext context;
    private final IndexBuilder table;
    private final QueryProbe asked;

    WorkerRestart(ScenarioContext context, IndexBuilder table, QueryProbe asked) {
        this.context = context;
        this.table = table;
        this.asked = asked;
    }

    @Override
    public String name() {
        return table.name();
    }

    @Override
    public Map<Figure, Double> run() throws BenchException, InterruptedException {
        ChildProcess worker = context.stack().child(Role.WORKER);
        worker.kill();
        worker.awaitEnd(PATIENCE);
        Instant began = context.clock().instant();
        worker.start();
        while (!asked.answers(context.stack().workerUrl())) {
            if (context.clock().instant().isAfter(began.plus(PATIENCE))) {
                throw new BenchException("the worker did not answer within " + PATIENCE.toMinutes() + " minutes");
            }
            BoundedWait.rest(STEP);
        }
        double seconds = Duration.between(began, context.clock().instant()).toNanos() / 1e9;
        // Loading nothing waits until it is steady again.
        table.load(Stream.empty());
        return Map.of(Figure.RESTART, seconds);
    }

    @Override
    public void close() {
        table.close();
    }
}
