package dev.tidemark.deploy.observe;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The program {@code promtool} of this machine. Stateless: any thread may run it. */
final class Promtool {
    /** Why a test that needs the program was skipped. */
    static final String ABSENT =
            "promtool is not on the PATH, so that Prometheus itself has not checked this; it comes with the package prometheus";

    private static final long PATIENCE_SECONDS = 60;

    private final Path program;

    /**
     * How a run ended.
     *
     * @param exitCode 0 when nothing was found
     * @param output what it printed, errors included
     */
    record Outcome(int exitCode, String output) {}

    private Promtool(Path program) {
        this.program = program;
    }

    static Optional<Promtool> onPath() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .filter(directory -> !directory.isEmpty())
                .map(directory -> Path.of(directory, "promtool"))
                .filter(Files::isExecutable)
                .findFirst()
                .map(Promtool::new);
    }

    /** Runs it with an empty input. */
    Outcome run(String... arguments) throws IOException, InterruptedException {
        return runWithInput("", arguments);
    }

    /** Through files, not pipes: neither side can block the other. */
    Outcome runWithInput(String input, String... arguments) throws IOException, InterruptedException {
        Path in = Files.createTempFile("promtool", ".in");
        Path out = Files.createTempFile("promtool", ".out");
        try {
            Files.writeString(in, input);
            List<String> command = new ArrayList<>(List.of(program.toString()));
            command.addAll(List.of(arguments));
            Process process = new ProcessBuilder(command)
                    .redirectInput(in.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(out.toFile())
                    .start();
            return new Outcome(exitCodeOf(process, command), Files.readString(out, StandardCharsets.UTF_8));
        } finally {
            Files.delete(in);
            Files.delete(out);
        }
    }

    private static int exitCodeOf(Process process, List<String> command) throws InterruptedException {
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError(command + " has not ended within " + PATIENCE_SECONDS + " s");
            }
            return process.exitValue();
        } finally {
            process.destroyForcibly();
        }
    }
}
