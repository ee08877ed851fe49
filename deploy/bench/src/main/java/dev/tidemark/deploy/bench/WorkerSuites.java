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

/** Workers and applications on Kafka Streams whose process begins in each round. */
final class WorkerSuites {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration ANSWER_PATIENCE = Duration.ofSeconds(2);
    private static final Duration STEP = Duration.ofMillis(5);
    private static final String FIRST_OF_A_TOWN = "/v1/indexes/by_town_last_name/entries?limit=20&town=Town%20100";

    private WorkerSuites() {}

    /** A worker with an entry for each row, which each round kills. */
    static Contender restart(ScenarioContext context) throws Exception {
        TidemarkTarget tidemark = context.filledTable();
        return () -> {
            double seconds = restart(context.stack());
            // Loading nothing waits until it is steady again.
            tidemark.load(Stream.empty());
            return Map.of(Figure.RESTART, seconds);
        };
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

    /** An application on Kafka Streams with the same entries, which each round kills. */
    static Optional<Contender> restartOfStreams(ScenarioContext context, BaselineCommands commands) throws Exception {
        BenchStack stack = context.stack();
        if (!commands.hasStreams(stack.installation())) {
            return Optional.empty();
        }
        Path directory = Files.createDirectory(stack.directory().resolve("streams"));
        Path log = stack.directory().resolve("streams.log");
        // The application ends when its standard input does, so each process is kept until the next one.
        Deque<LineProcess> running = new ArrayDeque<>();
        stack.atEnd(() -> running.forEach(LineProcess::close));
        running.push(LineProcess.startAndWait(commands.server(stack, directory, "fill"), log));
        return Optional.of(() -> {
            running.pop().close();
            Instant began = stack.clock().instant();
            running.push(LineProcess.startAndWait(commands.server(stack, directory, "serve"), log));
            return Map.of(Figure.RESTART, secondsSince(began, stack.clock()));
        });
    }

    private static double secondsSince(Instant began, Clock clock) {
        return Duration.between(began, clock.instant()).toNanos() / 1e9;
    }

    /** A new worker over a full topic, timed from the start of its process. */
    static Contender join(ScenarioContext context) throws Exception {
        int changes = context.size().rows();
        StackWorker worker = StackWorker.behind(changes, context.stack());
        return () -> {
            try {
                StackWorker.Followed read = worker.follow(changes);
                return rates(changes, read.sinceStart(), new JoiningWorker(context.stack()).join());
            } finally {
                worker.end();
            }
        };
    }

    /** A new instance of the application on Kafka Streams over the same topic. */
    static Optional<Contender> joinOfStreams(ScenarioContext context, BaselineCommands commands) throws Exception {
        BenchStack stack = context.stack();
        if (!commands.hasStreams(stack.installation())) {
            return Optional.empty();
        }
        Path parent = Files.createDirectory(stack.directory().resolve("streams"));
        int changes = context.size().rows();
        return Optional.of(() -> {
            Path directory = Files.createTempDirectory(parent, "joins-");
            Duration restored = commands.follow(ApplyBaseline.STREAMS_EXACTLY_ONCE, changes, stack, directory)
                    .sinceStart();
            return rates(changes, restored, restored);
        });
    }

    private static Map<Figure, Double> rates(int changes, Duration read, Duration taken) {
        return Map.of(Figure.JOIN, changes * 1e9 / read.toNanos(), Figure.JOIN_COPY, changes * 1e9 / taken.toNanos());
    }
}
