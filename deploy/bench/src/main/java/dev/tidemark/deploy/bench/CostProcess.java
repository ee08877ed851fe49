package dev.tidemark.deploy.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import dev.tidemark.deploy.stack.Installation;

/** Measures in a separate process that has the worker's settings, and prints two numbers per round. */
public final class CostProcess {
    private CostProcess() {}

    /** One round: the costs of two ways, in the same unit. */
    public record Pair(double first, double second) {
        /** The first in terms of the second. */
        public double ratio() {
            return first / second;
        }
    }

    /**
     * Runs it to its end.
     *
     * @param program class with the main method
     * @param directory where it complains, in a file of its name
     * @return at least one round
     */
    public static List<Pair> run(Installation installation, Class<?> program, Path directory, List<String> arguments)
            throws BenchException, IOException, InterruptedException {
        List<String> command = Stream.concat(
                        Stream.of(
                                installation.java().toString(),
                                "-Xms64m",
                                "-Xmx512m",
                                "-XX:+UseSerialGC",
                                "-cp",
                                BenchJars.classPath(installation),
                                program.getName()),
                        arguments.stream())
                .toList();
        Process process = new ProcessBuilder(command)
                .redirectError(
                        directory.resolve(program.getSimpleName() + ".log").toFile())
                .start();
        List<Pair> rounds = new ArrayList<>();
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                int space = line.indexOf(' ');
                rounds.add(new Pair(
                        Double.parseDouble(line.substring(0, space)), Double.parseDouble(line.substring(space + 1))));
            }
            if (process.waitFor() != 0 || rounds.isEmpty()) {
                throw new BenchException(
                        program.getSimpleName() + " measured nothing; exit code " + process.exitValue());
            }
            return rounds;
        } finally {
            process.destroy();
        }
    }
}
