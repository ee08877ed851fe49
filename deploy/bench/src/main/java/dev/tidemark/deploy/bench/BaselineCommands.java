package dev.tidemark.deploy.bench;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import dev.tidemark.change.ChangeTopic;
import dev.tidemark.deploy.stack.Installation;

/**
 * Starts the processes of the baselines, with the heap that Tidemark's services have where they need no more.
 *
 * @param program class with the main method of the baselines of this project
 * @param postgres class with the main method of the one that answers from PostgreSQL
 */
public record BaselineCommands(Class<?> program, Class<?> postgres) {
    /** What to do where Kafka Streams is not {@link #available}. */
    static final String REMEDY = "its module is not built; mvn package builds all";

    private static final String TOPIC = ChangeTopic.nameFor("customers");
    /** As in the catalog of the benchmarks. */
    private static final int PARTITIONS = 4;

    /** Those that can be started: all, but for Kafka Streams where its module has not been packaged. */
    List<ApplyBaseline> available(Installation installation) {
        return Arrays.stream(ApplyBaseline.values())
                .filter(baseline -> !baseline.isStreams() || Files.exists(streams(installation)))
                .toList();
    }

    /** Whether Kafka Streams with Tidemark's own promise can be started. */
    boolean hasStreams(Installation installation) {
        return available(installation).contains(ApplyBaseline.STREAMS_EXACTLY_ONCE);
    }

    /** Lets a baseline index the topic of a stack, in an empty directory; it prints the nanoseconds that it took. */
    StackWorker.Followed follow(ApplyBaseline baseline, long changes, BenchStack stack, Path directory)
            throws Exception {
        String brokers = stack.services().bootstrapServers();
        List<String> command = baseline.isStreams()
                ? streams(baseline, stack, directory, "follow")
                : LineProcess.java(
                        stack.installation(),
                        memory(baseline),
                        program.getName(),
                        brokers,
                        TOPIC,
                        directory.toString(),
                        baseline.name());
        Instant started = stack.clock().instant();
        try (LineProcess process = LineProcess.start(command, Path.of(directory + ".log"))) {
            long nanos = Long.parseLong(process.line());
            Duration sinceStart = Duration.between(started, stack.clock().instant());
            return new StackWorker.Followed(changes * 1e9 / nanos, sinceStart);
        }
    }

    /** A Java program that answers what the worker answers from PostgreSQL, by a pool of connections. */
    Optional<Contender> postgresBehindJetty(WrkTool wrk, ScenarioContext context) throws Exception {
        BenchStack stack = context.stack();
        Optional<PostgresServer> server = PostgresBaselines.filled(context);
        if (server.isEmpty()) {
            return Optional.empty();
        }
        List<String> memory = memory(ApplyBaseline.PLAIN_LOOP);
        return Optional.of(behindJetty(
                "postgresql",
                LineProcess.java(
                        stack.installation(),
                        memory,
                        postgres.getName(),
                        server.get().jdbcUrl()),
                wrk,
                context));
    }

    /** A Java program that answers what the worker answers from the stores of Kafka Streams. */
    Optional<Contender> streamsBehindJetty(WrkTool wrk, ScenarioContext context) throws Exception {
        BenchStack stack = context.stack();
        if (!hasStreams(stack.installation())) {
            return Optional.empty();
        }
        Path directory = Files.createDirectory(stack.directory().resolve("streams"));
        return Optional.of(behindJetty("kafka-streams", server(stack, directory, "http"), wrk, context));
    }

    /** Starts a program, which prints the port that it listens on. */
    private static Contender behindJetty(String log, List<String> command, WrkTool wrk, ScenarioContext context)
            throws Exception {
        BenchStack stack = context.stack();
        LineProcess process = LineProcess.start(command, stack.directory().resolve(log + ".log"));
        stack.atEnd(process::close);
        return wrk.queries(context, URI.create("http://127.0.0.1:" + process.line()));
    }

    /** The command of Kafka Streams with an index that can be read. */
    List<String> server(BenchStack stack, Path directory, String mode) {
        return streams(ApplyBaseline.STREAMS_EXACTLY_ONCE, stack, directory, mode);
    }

    /** With the name of the directory as its own: groups and changelogs of another directory are not this one's. */
    private static List<String> streams(ApplyBaseline baseline, BenchStack stack, Path directory, String mode) {
        String[] main = {
            "dev.tidemark.streams.kafka.StreamsMain",
            stack.services().bootstrapServers(),
            TOPIC,
            directory.toString(),
            baseline.guarantee(),
            directory.getFileName().toString(),
            mode,
            Integer.toString(PARTITIONS)
        };
        Installation installation = stack.installation();
        return LineProcess.java(
                installation, memory(baseline), streams(installation).toString(), main);
    }

    private static List<String> memory(ApplyBaseline baseline) {
        return List.of("-Xms256m", baseline == ApplyBaseline.STORE_ALONE ? "-Xmx3g" : "-Xmx512m", "-Xmn192m");
    }

    /** The jar of the baseline on Kafka Streams; it exists once the whole project has been packaged. */
    private static Path streams(Installation installation) {
        return installation.home().resolve("deploy/bench/streams/target/lib/streams-peer.jar");
    }
}
