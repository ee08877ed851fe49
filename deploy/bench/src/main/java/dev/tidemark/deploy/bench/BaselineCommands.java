package dev.tidemark.deploy.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

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
        List<String> command = jvm(stack.installation(), baseline);
        String name = directory.getFileName().toString();
        if (baseline.isStreams()) {
            // Another name each time: the groups and changelogs of the last round are not this one's.
            command.addAll(streams(baseline, stack, directory, "follow"));
        } else {
            String brokers = stack.services().bootstrapServers();
            command.addAll(List.of(program.getName(), brokers, TOPIC, directory.toString(), baseline.name()));
        }
        Instant started = stack.clock().instant();
        try (LineProcess process = LineProcess.start(command, directory.resolveSibling(name + ".log"))) {
            long nanos = Long.parseLong(process.line());
            Duration sinceStart = Duration.between(started, stack.clock().instant());
            return new StackWorker.Followed(changes * 1e9 / nanos, sinceStart);
        }
    }

    /** The command of the program that answers from PostgreSQL, in a virtual machine like the worker's. */
    List<String> postgres(BenchStack stack, String jdbcUrl) {
        List<String> command = jvm(stack.installation(), ApplyBaseline.PLAIN_LOOP);
        command.addAll(List.of(postgres.getName(), jdbcUrl));
        return command;
    }

    /** The command of Kafka Streams with an index that can be read. */
    List<String> server(BenchStack stack, Path directory, String mode) {
        List<String> command = jvm(stack.installation(), ApplyBaseline.STREAMS_EXACTLY_ONCE);
        command.addAll(streams(ApplyBaseline.STREAMS_EXACTLY_ONCE, stack, directory, mode));
        return command;
    }

    private static List<String> streams(ApplyBaseline baseline, BenchStack stack, Path directory, String mode) {
        return List.of(
                "dev.tidemark.streams.kafka.StreamsMain",
                stack.services().bootstrapServers(),
                TOPIC,
                directory.toString(),
                baseline.guarantee(),
                directory.getFileName().toString(),
                mode,
                Integer.toString(PARTITIONS));
    }

    private static List<String> jvm(Installation installation, ApplyBaseline baseline) {
        return new ArrayList<>(List.of(
                installation.java().toString(),
                "-Xms256m",
                baseline == ApplyBaseline.STORE_ALONE ? "-Xmx3g" : "-Xmx512m",
                "-Xmn192m",
                "-XX:+UseSerialGC",
                "-cp",
                baseline.isStreams() ? streams(installation).toString() : LineProcess.classPath(installation)));
    }

    /** The jar of the baseline on Kafka Streams; it exists once the whole project has been packaged. */
    private static Path streams(Installation installation) {
        return installation.home().resolve("deploy/bench/streams/target/lib/streams-peer.jar");
    }
}
