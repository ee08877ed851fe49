package dev.tidemark.deploy.bench;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.deploy.stack.ChildId;
import dev.tidemark.deploy.stack.ChildProcess;
import dev.tidemark.deploy.stack.LoopbackPort;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.deploy.target.ServiceCaller;
import dev.tidemark.deploy.target.ServiceCaller.Reply;
import dev.tidemark.runtime.BoundedWait;

/** Workers and applications on Kafka Streams whose process begins in each round. */
final class WorkerSuites {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration ANSWER_PATIENCE = Duration.ofSeconds(2);
    private static final Duration STEP = Duration.ofMillis(5);
    private static final Duration JOIN_PATIENCE = Duration.ofMinutes(10);
    private static final Duration JOIN_STEP = Duration.ofMillis(100);
    private static final Duration END_PATIENCE = Duration.ofSeconds(20);
    private static final String SHARDS = "/v1/peer/shards";
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
        running.push(LineProcess.start(commands.server(stack, directory, "fill"), log));
        running.element().line();
        return Optional.of(() -> {
            running.pop().close();
            Instant began = stack.clock().instant();
            running.push(LineProcess.start(commands.server(stack, directory, "serve"), log));
            running.element().line();
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
                return rates(changes, read.sinceStart(), joinAnotherGroup(context.stack()));
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

    /**
     * Starts a worker of another replica group that begins with nothing, beside one that has all shards.
     *
     * @return the time from the start of the process until it has caught up with all shards
     */
    private static Duration joinAnotherGroup(BenchStack stack) throws Exception {
        int port = LoopbackPort.anyFree(Set.of());
        Path directory = Files.createTempDirectory(stack.directory(), "joining-");
        ChildProcess process = new ChildProcess(stack.services()
                .child(Role.WORKER)
                .spec()
                .another(
                        new ChildId(Role.WORKER, 2),
                        directory,
                        List.of(
                                "http.port=" + port,
                                "advertised.url=http://127.0.0.1:" + port,
                                "data.dir=" + directory.resolve("data"),
                                "replica.group=b",
                                "copy.min.records=0")));
        int shards = steady(stack.worker(ANSWER_PATIENCE));
        ServiceCaller joining =
                stack.bench().systems().callers().at(URI.create("http://127.0.0.1:" + port), JOIN_PATIENCE);
        Instant started = stack.clock().instant();
        try {
            process.start();
            if (!BoundedWait.until(() -> steady(joining) == shards, JOIN_PATIENCE, JOIN_STEP)) {
                throw new BenchException("the joining worker has not caught up; see " + directory);
            }
            return Duration.between(started, stack.clock().instant());
        } finally {
            process.requestEnd();
            process.awaitEnd(END_PATIENCE);
            process.kill();
        }
    }

    /** How many shards of a worker have caught up. */
    private static int steady(ServiceCaller worker) {
        int steady = 0;
        try {
            for (JsonNode shard : worker.get(SHARDS).json().path("shards")) {
                steady += shard.path("state").asText().equals("steady") ? 1 : 0;
            }
        } catch (IOException e) {
            // It is starting.
            return 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return steady;
    }

    private static Map<Figure, Double> rates(int changes, Duration read, Duration taken) {
        return Map.of(Figure.JOIN, changes * 1e9 / read.toNanos(), Figure.JOIN_COPY, changes * 1e9 / taken.toNanos());
    }
}
