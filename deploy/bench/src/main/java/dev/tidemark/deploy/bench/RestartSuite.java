package dev.tidemark.deploy.bench;

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

import dev.tidemark.deploy.stack.ChildProcess;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.deploy.target.ServiceCaller;
import dev.tidemark.deploy.target.ServiceCaller.Reply;
import dev.tidemark.runtime.BoundedWait;

/** A worker and an application on Kafka Streams, with an entry for each row of one table; each round kills both. */
public final class RestartSuite {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration ANSWER_PATIENCE = Duration.ofSeconds(2);
    private static final Duration STEP = Duration.ofMillis(5);
    private static final String FIRST_OF_A_TOWN = "/v1/indexes/by_town_last_name/entries?limit=20&town=Town%20100";

    private RestartSuite() {}

    /** Both systems. */
    public static Suite of(BaselineCommands commands) {
        return new Suite(RestartSuite::worker, context -> streams(context, commands), BaselineCommands.REMEDY);
    }

    private static Contender<Map<Figure, Double>> worker(ScenarioContext context) throws Exception {
        TidemarkTarget tidemark = context.filledTable();
        return new Contender<>(tidemark.name(), () -> {
            double seconds = restart(context.stack());
            // Loading nothing waits until it is steady again.
            tidemark.load(Stream.empty());
            return Map.of(Figure.RESTART, seconds);
        });
    }

    private static double restart(BenchStack stack) throws Exception {
        ServiceCaller calls = stack.worker(ANSWER_PATIENCE);
        ChildProcess worker = stack.services().child(Role.WORKER);
        worker.kill();
        worker.awaitEnd(PATIENCE);
        Instant began = stack.clock().instant();
        worker.start();
        while (!answers(calls)) {
            if (stack.clock().instant().isAfter(began.plus(PATIENCE))) {
                throw new BenchException("the worker did not answer within " + PATIENCE.toMinutes() + " minutes");
            }
            BoundedWait.rest(STEP);
        }
        return secondsSince(began, stack.clock());
    }

    /** Whether the worker returns entries of the index; false while no process listens. */
    private static boolean answers(ServiceCaller worker) throws InterruptedException {
        try {
            Reply reply = worker.get(FIRST_OF_A_TOWN);
            return reply.ok() && reply.body().contains("\"primaryKey\"");
        } catch (IOException e) {
            return false;
        }
    }

    private static Optional<Contender<Map<Figure, Double>>> streams(ScenarioContext context, BaselineCommands commands)
            throws Exception {
        BenchStack stack = context.stack();
        if (!commands.hasStreams(stack.installation())) {
            return Optional.empty();
        }
        Path directory = Files.createDirectory(stack.directory().resolve("streams"));
        Path log = stack.directory().resolve("streams.log");
        // The application ends when its standard input does, so each process is kept until the next one.
        Deque<LineProcess> running = new ArrayDeque<>();
        running.push(LineProcess.startAndWait(commands.server(stack, directory, "fill"), log));
        return Optional.of(new Contender<>(
                "Kafka Streams",
                () -> {
                    running.pop().close();
                    Instant began = stack.clock().instant();
                    running.push(LineProcess.startAndWait(commands.server(stack, directory, "serve"), log));
                    return Map.of(Figure.RESTART, secondsSince(began, stack.clock()));
                },
                () -> running.forEach(LineProcess::close)));
    }

    private static double secondsSince(Instant began, Clock clock) {
        return Duration.between(began, clock.instant()).toNanos() / 1e9;
    }
}
