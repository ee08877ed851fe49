package dev.tidemark.deploy.bench;

import java.io.File;
import java.nio.file.Path;

import dev.tidemark.deploy.stack.Installation;

/** The jars of a built checkout that only benchmarks run. */
public final class BenchJars {
    private BenchJars() {}

    /** The class path of a program of the benchmarks, as {@code java -cp} takes it. */
    public static String classPath(Installation installation) {
        return installation.serviceJar()
                + File.pathSeparator
                + installation.home().resolve("deploy/bench/target/lib/bench.jar");
    }

    /** The jar of the baseline on Kafka Streams; it exists once the whole project has been packaged. */
    public static Path streams(Installation installation) {
        return installation.home().resolve("deploy/bench/streams/target/lib/streams-peer.jar");
    }
}
