package dev.tidemark.deploy.bench.postgres;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.tidemark.deploy.bench.BenchException;

/**
 * The programs of PostgreSQL. They refuse to run as root, so root runs them as the account that the package makes.
 *
 * @param binaries where they are
 * @param prefix what to put before each call
 */
record PostgresTools(Path binaries, List<String> prefix) {
    private static final Path INSTALLED = Path.of("/usr/lib/postgresql");
    private static final String ACCOUNT = "postgres";

    PostgresTools {
        prefix = List.copyOf(prefix);
    }

    /** Those of this machine, the newest; empty where there are none. */
    static Optional<PostgresTools> installed() {
        boolean root = "root".equals(System.getProperty("user.name"));
        List<String> prefix =
                root ? List.of("setpriv", "--reuid=" + ACCOUNT, "--regid=" + ACCOUNT, "--clear-groups") : List.of();
        try (Stream<Path> versions = Files.list(INSTALLED)) {
            return versions.map(version -> version.resolve("bin"))
                    .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
                    .max(Comparator.comparing(Path::toString))
                    .map(bin -> new PostgresTools(bin, prefix));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Lets the account that runs the programs own a directory. */
    void give(Path directory) throws IOException {
        if (!prefix.isEmpty()) {
            Files.setOwner(
                    directory,
                    directory.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(ACCOUNT));
        }
    }

    /** Starts a program; what it complains of goes into a file of its name in the directory. */
    Process start(Path directory, String program, String... arguments) throws BenchException {
        return start(ProcessBuilder.Redirect.PIPE, directory, program, arguments);
    }

    private Process start(ProcessBuilder.Redirect input, Path directory, String program, String... arguments)
            throws BenchException {
        List<String> command = new ArrayList<>(prefix);
        command.add(binaries.resolve(program).toString());
        command.addAll(List.of(arguments));
        try {
            return new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectInput(input)
                    .redirectError(ProcessBuilder.Redirect.appendTo(
                            directory.resolve(program + ".log").toFile()))
                    .start();
        } catch (IOException e) {
            throw new BenchException(program + " of PostgreSQL could not be started: " + e.getMessage(), e);
        }
    }

    /** Runs a program to its end; what it prints. */
    String run(Path directory, String program, String... arguments) throws BenchException, InterruptedException {
        return run(ProcessBuilder.Redirect.PIPE, directory, program, arguments);
    }

    /** The same with a file as its input. */
    String feed(Path input, Path directory, String program, String... arguments)
            throws BenchException, InterruptedException {
        return run(ProcessBuilder.Redirect.from(input.toFile()), directory, program, arguments);
    }

    private String run(ProcessBuilder.Redirect input, Path directory, String program, String... arguments)
            throws BenchException, InterruptedException {
        Process process = start(input, directory, program, arguments);
        try {
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new BenchException(program + " of PostgreSQL ended with " + process.exitValue() + "; see "
                        + directory.resolve(program + ".log"));
            }
            return printed;
        } catch (IOException e) {
            throw new BenchException("the output of " + program + " could not be read: " + e.getMessage(), e);
        } finally {
            process.destroy();
        }
    }
}
