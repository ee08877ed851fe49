package dev.tidemark.source.testkit;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** {@code tidemark source} as a child process. */
public final class RunningSource implements AutoCloseable {
    private final Process process;
    private final Path log;

    private RunningSource(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** Starts a source named {@code shop}. */
    public static RunningSource start(URI writer, Map<String, String> settings, String... more) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-Xmx256m",
                "-XX:+ExitOnOutOfMemoryError",
                "-Dlogback.configurationFile=logback-source.xml",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.tidemark.deploy.cli.TidemarkMain",
                "source",
                "--name",
                "shop",
                "--writer-url",
                writer.toString(),
                "--set",
                "marker.interval=100ms",
                "--set",
                "http.port=0"));
        settings.forEach((key, value) -> command.addAll(List.of("--set", key + "=" + value)));
        command.addAll(List.of(more));
        try {
            Path log = Files.createTempFile(Files.createDirectories(Path.of("target", "tmp")), "source", ".log");
            ProcessBuilder builder = new ProcessBuilder(command);
            builder.redirectErrorStream(true).redirectOutput(log.toFile());
            builder.redirectInput(new File("/dev/null"));
            return new RunningSource(builder.start(), log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends it as {@code kill -9} does. */
    public void kill() {
        process.destroyForcibly();
        exitCode();
    }

    /** Waits for its end. */
    public int exitCode() {
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                throw new AssertionError("the source did not end: " + said());
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** What it has written so far. */
    public String said() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        exitCode();
    }
}
