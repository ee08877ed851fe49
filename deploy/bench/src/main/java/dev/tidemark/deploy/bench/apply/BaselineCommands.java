package dev.tidemark.deploy.bench.apply;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import dev.tidemark.change.ChangeTopic;
import dev.tidemark.deploy.bench.BenchJars;
import dev.tidemark.deploy.stack.Installation;

/**
 * How the processes of the rivals are started, with the heap that Tidemark's services have where they need no more.
 *
 * @param plainLoop class with the main method of the loop
 * @param storeAlone that of the store alone
 */
public record BaselineCommands(Class<?> plainLoop, Class<?> storeAlone) {
    /** What to do where Kafka Streams is not {@link #available}. */
    public static final String REMEDY = "its module is not built; mvn package builds all";

    private static final String TOPIC = ChangeTopic.nameFor("customers");
    /** As in the catalog of the benchmarks. */
    private static final int PARTITIONS = 4;

    /** Those that can be started: all, but for Kafka Streams where its module has not been packaged. */
    public List<ApplyBaseline> available(Installation installation) {
        return Arrays.stream(ApplyBaseline.values())
                .filter(baseline -> isBuilt(baseline, installation))
                .toList();
    }

    /** Whether Kafka Streams with Tidemark's own promise can be started. */
    public boolean hasStreams(Installation installation) {
        return available(installation).contains(ApplyBaseline.STREAMS_EXACTLY_ONCE);
    }

    /** The command of a rival that works in an empty directory. */
    List<String> of(ApplyBaseline baseline, Installation installation, String brokers, Path scratch) {
        List<String> command = new ArrayList<>(jvm(installation, baseline));
        switch (baseline) {
            case PLAIN_LOOP -> command.add(plainLoop.getName());
            case STORE_ALONE -> command.add(storeAlone.getName());
            case STREAMS_EXACTLY_ONCE, STREAMS_AT_LEAST_ONCE ->
                command.add("dev.tidemark.streams.kafka.StreamsPeerMain");
        }
        command.addAll(List.of(brokers, TOPIC, scratch.toString()));
        switch (baseline) {
            case STREAMS_EXACTLY_ONCE -> command.add("exactly_once_v2");
            case STREAMS_AT_LEAST_ONCE -> command.add("at_least_once");
            case PLAIN_LOOP, STORE_ALONE -> {
                return command;
            }
        }
        // Another name each time: the groups and changelogs of the last round are not this one's.
        command.add(scratch.getFileName().toString());
        return command;
    }

    /** The command of Kafka Streams with an index that can be read. */
    public List<String> server(Installation installation, String brokers, Path directory, String mode) {
        List<String> command = new ArrayList<>(jvm(installation, ApplyBaseline.STREAMS_EXACTLY_ONCE));
        command.addAll(List.of(
                "dev.tidemark.streams.kafka.StreamsServerMain",
                brokers,
                TOPIC,
                directory.toString(),
                "exactly_once_v2",
                directory.getFileName().toString(),
                mode,
                Integer.toString(PARTITIONS)));
        return command;
    }

    private static List<String> jvm(Installation installation, ApplyBaseline baseline) {
        return List.of(
                installation.java().toString(),
                "-Xms256m",
                baseline == ApplyBaseline.STORE_ALONE ? "-Xmx3g" : "-Xmx512m",
                "-Xmn192m",
                "-XX:+UseSerialGC",
                "-cp",
                classPath(baseline, installation));
    }

    private static boolean isBuilt(ApplyBaseline baseline, Installation installation) {
        return switch (baseline) {
            case PLAIN_LOOP, STORE_ALONE -> true;
            case STREAMS_EXACTLY_ONCE, STREAMS_AT_LEAST_ONCE -> Files.exists(BenchJars.streams(installation));
        };
    }

    private static String classPath(ApplyBaseline baseline, Installation installation) {
        return switch (baseline) {
            case PLAIN_LOOP, STORE_ALONE -> BenchJars.classPath(installation);
            case STREAMS_EXACTLY_ONCE, STREAMS_AT_LEAST_ONCE ->
                BenchJars.streams(installation).toString();
        };
    }
}
