package dev.tidemark.deploy.bench.wrk;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.scenario.Scenario;

/** The program, where it is installed. */
public record WrkTool(Path program) {
    /** The sentence for a machine without wrk. */
    public static final String REMEDY = "wrk is not installed; Debian's package wrk brings it";

    private static final Path SCRIPTS = Path.of("deploy", "bench", "scripts");

    /** The first on a search path, like the value of {@code PATH}; empty where it is not installed. */
    public static Optional<WrkTool> on(String searchPath) {
        return Arrays.stream(searchPath.split(File.pathSeparator))
                .filter(directory -> !directory.isEmpty())
                .map(directory -> Path.of(directory, "wrk"))
                .filter(Files::isExecutable)
                .findFirst()
                .map(WrkTool::new);
    }

    /**
     * Runs the requests of a scenario against a service for a time.
     *
     * @param scenario {@link Scenario#PUT} or {@link Scenario#QUERY}
     * @param home of the installation
     * @param arguments of the script: rows of the table, and the number of the round
     */
    public WrkOutput run(Scenario scenario, Path home, URI service, Duration time, List<String> arguments)
            throws BenchException, IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                program.toString(),
                "--threads=1",
                "--connections=" + scenario.connections(),
                "--duration=" + time.toSeconds() + "s",
                "--timeout=10s",
                "--latency",
                "--script=" + home.resolve(SCRIPTS).resolve(scenario.label() + ".lua"),
                service.toString(),
                "--"));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new BenchException("wrk ended with " + process.exitValue() + " and said: " + printed.strip());
            }
            return WrkOutput.parse(printed);
        } finally {
            process.destroy();
        }
    }
}
