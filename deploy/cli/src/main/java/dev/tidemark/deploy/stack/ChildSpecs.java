package dev.tidemark.deploy.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.tidemark.worker.WorkerMain;
import dev.tidemark.writer.WriterMain;

/** The command lines of the children. */
record ChildSpecs(Installation installation, StackSettings settings) {
    /** It collects with both processors, because everybody waits for it meanwhile. */
    private static final List<String> BROKER_FLAGS =
            List.of("-Xms192m", "-Xmx320m", "-Xmn128m", "-XX:+UseParallelGC", "-XX:TieredStopAtLevel=1");

    /**
     * A large young generation: the length of a pause does not depend on its size, so a larger one pauses less often.
     */
    static final List<String> SERVICE_HEAP = List.of("-Xms256m", "-Xmx512m", "-Xmn192m");

    private static final List<String> SERVICE_FLAGS = List.of(
            "-XX:+UseSerialGC",
            // Less of each method is put into its callers: the compiler is done sooner, and what it makes is as fast
            // here.
            "-XX:MaxInlineLevel=9",
            "-XX:InlineSmallCode=1200",
            "-XX:FreqInlineSize=200",
            "--enable-native-access=ALL-UNNAMED");

    /** The variable that the launcher reads too. */
    private static final String JAVA_OPTS = "TIDEMARK_JAVA_OPTS";

    private static final List<String> COMMON_FLAGS = List.of("-XX:+ExitOnOutOfMemoryError");

    ChildSpec of(ChildId child) {
        return switch (child.role()) {
            case BROKER -> broker(child);
            case POSTGRESQL -> throw new IllegalArgumentException("Expected a program of Java, but got " + child);
            case WRITER -> service(child, WriterMain.class, writerSettings(child.number()));
            case WORKER -> service(child, WorkerMain.class, workerSettings(child.number()));
        };
    }

    private ChildSpec broker(ChildId child) {
        BrokerFiles files = new BrokerFiles(settings.directory(child));
        try {
            files.write(settings.ports().broker(), settings.ports().controller(), settings.extra(Role.BROKER));
        } catch (IOException e) {
            throw new UncheckedIOException("Expected to write the broker's settings, but " + e.getMessage(), e);
        }
        List<String> command = new ArrayList<>(settings.broker().prefix());
        command.addAll(java(Role.BROKER, BROKER_FLAGS));
        command.add("-Dlog4j2.configurationFile=" + files.logging());
        command.add("-jar");
        command.add(installation.brokerJar().toString());
        command.add(files.serverProperties().toString());
        return new ChildSpec(child, command, settings.data());
    }

    private ChildSpec service(ChildId child, Class<?> main, Map<String, String> usual) {
        Map<String, String> all = new TreeMap<>(usual);
        all.put("data.dir", settings.directory(child).toString());
        all.put("kafka.bootstrap.servers", settings.bootstrapServers());
        all.putAll(settings.extra(child.role()));
        List<String> flags =
                Stream.concat(SERVICE_HEAP.stream(), SERVICE_FLAGS.stream()).toList();
        List<String> command = java(child.role(), flags);
        command.add("-Djava.library.path=" + installation.nativeLibraries());
        new TreeMap<>(settings.properties(child.role())).forEach((key, value) -> command.add("-D" + key + "=" + value));
        command.add("-cp");
        command.add(installation.serviceJar().toString());
        command.add(main.getName());
        all.forEach((key, value) -> {
            command.add("--set");
            command.add(key + "=" + value);
        });
        return new ChildSpec(child, command, settings.data());
    }

    private Map<String, String> writerSettings(int number) {
        Map<String, String> all = new TreeMap<>(settings.facts().settings());
        all.put("catalog.file", settings.catalog().toString());
        all.put("http.port", Integer.toString(settings.ports().writers().get(number - 1)));
        return all;
    }

    private Map<String, String> workerSettings(int number) {
        int port = settings.ports().workers().get(number - 1);
        return Map.of(
                "http.port",
                Integer.toString(port),
                "advertised.url",
                url(port).toString(),
                "replica.group",
                settings.replicaGroup(number),
                "writer.url",
                settings.ports().writers().stream()
                        .map(writer -> url(writer).toString())
                        .collect(Collectors.joining(",")));
    }

    private List<String> java(Role role, List<String> flags) {
        List<String> command = new ArrayList<>();
        command.add(installation.java().toString());
        command.addAll(COMMON_FLAGS);
        command.addAll(StartImage.of(role).use(installation));
        command.addAll(flags);
        command.addAll(moreFlags());
        return command;
    }

    /** Returns the JVM flags from the environment, which apply to every child; later flags win over earlier ones. */
    private static List<String> moreFlags() {
        return Stream.of(
                        Objects.requireNonNullElse(System.getenv(JAVA_OPTS), "").split("\\s+"))
                .filter(flag -> !flag.isEmpty())
                .toList();
    }

    static URI url(int port) {
        return URI.create("http://127.0.0.1:" + port);
    }
}
