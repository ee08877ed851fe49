package dev.tidemark.deploy.bench.restart;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.Contender;
import dev.tidemark.deploy.bench.LineProcess;
import dev.tidemark.deploy.bench.TidemarkTable;
import dev.tidemark.deploy.bench.apply.BaselineCommands;
import dev.tidemark.deploy.bench.scenario.Figure;
import dev.tidemark.deploy.bench.scenario.ScenarioContext;
import dev.tidemark.deploy.bench.scenario.Suite;
import dev.tidemark.deploy.stack.ChildProcess;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.runtime.BoundedWait;

/** A worker and an application on Kafka Streams, with an entry for each row of one table; each round kills both. */
public final class RestartSuite {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration STEP = Duration.ofMillis(5);

    private RestartSuite() {}

    /** Both systems. */
    public static Suite of(BaselineCommands commands, QueryProbe probe) {
        return new Suite(
                context -> worker(context, probe), context -> streams(context, commands), BaselineCommands.REMEDY);
    }

    private static Contender<Map<Figure, Double>> worker(ScenarioContext context, QueryProbe probe)
            throws BenchException, InterruptedException {
        TidemarkTable table = context.filledTable();
        return new Contender<>(
                table.name(),
                () -> {
                    double seconds = restart(context, probe);
                    // Loading nothing waits until it is steady again.
                    table.load(Stream.empty());
                    return Map.of(Figure.RESTART, seconds);
                },
                table::close);
    }

    private static double restart(ScenarioContext context, QueryProbe probe)
            throws BenchException, InterruptedException {
        Clock clock = context.stack().clock();
        ChildProcess worker = context.stack().services().child(Role.WORKER);
        worker.kill();
        worker.awaitEnd(PATIENCE);
        Instant began = clock.instant();
        worker.start();
        while (!probe.answers(context.stack().services().workerUrl())) {
            if (clock.instant().isAfter(began.plus(PATIENCE))) {
                throw new BenchException("the worker did not answer within " + PATIENCE.toMinutes() + " minutes");
            }
            BoundedWait.rest(STEP);
        }
        return secondsSince(began, context);
    }

    private static Optional<Contender<Map<Figure, Double>>> streams(ScenarioContext context, BaselineCommands commands)
            throws BenchException, IOException {
        if (!commands.hasStreams(context.stack().installation())) {
            return Optional.empty();
        }
        Path scratch = context.stack().directory();
        Path directory = Files.createDirectory(scratch.resolve("streams"));
        Path log = scratch.resolve("streams.log");
        // The application ends when its standard input does, so each process is kept until the next one.
        Deque<LineProcess> running = new ArrayDeque<>();
        running.push(LineProcess.startAndWait(commands.server(context.stack(), directory, "fill"), log));
        return Optional.of(new Contender<>(
                "Kafka Streams",
                () -> {
                    running.pop().close();
                    Instant began = context.stack().clock().instant();
                    running.push(LineProcess.startAndWait(commands.server(context.stack(), directory, "serve"), log));
                    return Map.of(Figure.RESTART, secondsSince(began, context));
                },
                () -> running.forEach(LineProcess::close)));
    }

    private static double secondsSince(Instant began, ScenarioContext context) {
        return Duration.between(began, context.stack().clock().instant()).toNanos() / 1e9;
    }
}
