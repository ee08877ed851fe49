package dev.tidemark.deploy.bench.apply;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import dev.tidemark.change.ChangeTopic;
import dev.tidemark.deploy.bench.BenchJars;
import dev.tidemark.deploy.bench.BenchStack;
import dev.tidemark.deploy.stack.Installation;

/**
 * Starts the processes of the baselines, with the heap that Tidemark's services have where they need no more.
 *
 * @param program class with the main method of the baselines of this project
 */
public record BaselineCommands(Class<?> program) {
    /** What to do where Kafka Streams is not {@link #available}. */
    public static final String REMEDY = "its module is not built; mvn package builds all";

    private static final String TOPIC = ChangeTopic.nameFor("customers");
    /** As in the catalog of the benchmarks. */
    private static final int PARTITIONS = 4;

    /** Those that can be started: all, but for Kafka Streams where its module has not been packaged. */
    public List<ApplyBaseline> available(Installation installation) {
        return Arrays.stream(ApplyBaseline.values())
                .filter(baseline -> !baseline.isStreams() || Files.exists(BenchJars.streams(installation)))
                .toList();
    }

    /** Whether Kafka Streams with Tidemark's own promise can be started. */
    public boolean hasStreams(Installation installation) {
        return available(installation).contains(ApplyBaseline.STREAMS_EXACTLY_ONCE);
    }

    /** A baseline that indexes the topic of a stack, each time in an empty directory. */
    TopicIndexer indexer(ApplyBaseline baseline, int changes, BenchStack stack) {
        return new ProcessIndexer(changes, stack.clock(), directory -> {
            List<String> command = jvm(stack.installation(), baseline);
            command.add(baseline.isStreams() ? "dev.tidemark.streams.kafka.StreamsPeerMain" : program.getName());
            command.addAll(List.of(stack.services().bootstrapServers(), TOPIC, directory.toString()));
            // Another name each time: the groups and changelogs of the last round are not this one's.
            command.addAll(
                    baseline.isStreams()
                            ? List.of(
                                    baseline.guarantee(),
                                    directory.getFileName().toString())
                            : List.of(baseline.name()));
            return command;
        });
    }

    /** The command of Kafka Streams with an index that can be read. */
    public List<String> server(BenchStack stack, Path directory, String mode) {
        List<String> command = jvm(stack.installation(), ApplyBaseline.STREAMS_EXACTLY_ONCE);
        command.addAll(List.of(
                "dev.tidemark.streams.kafka.StreamsServerMain",
                stack.services().bootstrapServers(),
                TOPIC,
                directory.toString(),
                ApplyBaseline.STREAMS_EXACTLY_ONCE.guarantee(),
                directory.getFileName().toString(),
                mode,
                Integer.toString(PARTITIONS)));
        return command;
    }

    private static List<String> jvm(Installation installation, ApplyBaseline baseline) {
        return new ArrayList<>(List.of(
                installation.java().toString(),
                "-Xms256m",
                baseline == ApplyBaseline.STORE_ALONE ? "-Xmx3g" : "-Xmx512m",
                "-Xmn192m",
                "-XX:+UseSerialGC",
                "-cp",
                baseline.isStreams() ? BenchJars.streams(installation).toString() : BenchJars.classPath(installation)));
    }
}
