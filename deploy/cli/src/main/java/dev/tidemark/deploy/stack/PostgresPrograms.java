package dev.tidemark.deploy.stack;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The programs of a PostgreSQL server on this machine.
 *
 * @param binaries the directory of the programs
 * @param prefix what each command begins with: the programs refuse to run as root
 */
public record PostgresPrograms(Path binaries, List<String> prefix) {
    /** The variable that names the directory of the programs. */
    public static final String VARIABLE = "TIDEMARK_POSTGRESQL_BIN";

    private static final Path PACKAGED = Path.of("/usr/lib/postgresql");
    private static final String ACCOUNT = "postgres";
    private static final List<String> AS_ACCOUNT =
            List.of("setpriv", "--reuid=" + ACCOUNT, "--regid=" + ACCOUNT, "--clear-groups");
    private static final List<String> AS_NOBODY = List.of("unshare", "--user");

    public PostgresPrograms {
        prefix = List.copyOf(prefix);
    }

    /**
     * Finds the directory of the programs: what the variable names, or else a directory of {@code PATH}, or else the
     * newest version of Debian's packages.
     */
    public static Optional<Path> find(Map<String, String> environment) {
        String named = environment.get(VARIABLE);
        if (named != null) {
            return Optional.of(Path.of(named)).filter(PostgresPrograms::hasServer);
        }
        return inPath(environment).or(PostgresPrograms::newestPackaged);
    }

    /**
     * The same, or those that the build of a checkout brings where none are installed. Only a server, without clients
     * such as psql.
     */
    public static Optional<Path> findOrUnpack(Map<String, String> environment)
            throws StackException, InterruptedException {
        Optional<Path> found = find(environment);
        return found.isPresent() || environment.containsKey(VARIABLE)
                ? found
                : PostgresArchive.of(Installation.locate()).programs();
    }

    private static Optional<Path> inPath(Map<String, String> environment) {
        return Stream.of(Objects.requireNonNullElse(environment.get("PATH"), "").split(File.pathSeparator, -1))
                .filter(directory -> !directory.isEmpty())
                .map(Path::of)
                .filter(PostgresPrograms::hasServer)
                .findFirst()
                .map(PostgresPrograms::withoutLinks);
    }

    /** Only some of the programs may be linked into a directory of {@code PATH}. */
    private static Path withoutLinks(Path directory) {
        try {
            return Objects.requireNonNullElse(
                    directory.resolve("initdb").toRealPath().getParent(), directory);
        } catch (IOException e) {
            return directory;
        }
    }

    private static Optional<Path> newestPackaged() {
        if (!Files.isDirectory(PACKAGED)) {
            return Optional.empty();
        }
        try (Stream<Path> versions = Files.list(PACKAGED)) {
            return versions.map(version -> version.resolve("bin"))
                    .filter(PostgresPrograms::hasServer)
                    .max(Comparator.comparingDouble(PostgresPrograms::version));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static double version(Path binaries) {
        try {
            return Double.parseDouble(String.valueOf(binaries.getName(binaries.getNameCount() - 2)));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private static boolean hasServer(Path binaries) {
        return Files.isExecutable(binaries.resolve("initdb")) && Files.isExecutable(binaries.resolve("postgres"));
    }

    /**
     * The programs for a directory of this user. As root, the account {@code postgres} runs them, to which the
     * directory is given. Where there is none, or where it cannot reach the directory, they run in a namespace without
     * privileges.
     *
     * @throws StackException when no server is installed
     */
    public static PostgresPrograms forDirectory(Path directory) throws StackException, InterruptedException {
        Path binaries = findOrUnpack(System.getenv())
                .orElseThrow(() -> new StackException("expected the programs initdb and postgres, but found none in "
                        + VARIABLE + ", PATH and " + PACKAGED
                        + "; install PostgreSQL (on Debian: apt install postgresql), or name another one with"
                        + " --facts " + FactsPlace.JDBC + "//…"));
        if (!"root".equals(System.getProperty("user.name"))) {
            return new PostgresPrograms(binaries, List.of());
        }
        if (canBeGiven(directory) && succeeds(AS_ACCOUNT, "test", "-x", binaries + "/postgres")) {
            return new PostgresPrograms(binaries, AS_ACCOUNT);
        }
        if (!succeeds(AS_NOBODY, "true")) {
            throw new StackException("PostgreSQL does not run as root, and the account " + ACCOUNT
                    + " is not there or cannot reach " + directory + "; run this as another user");
        }
        return new PostgresPrograms(binaries, AS_NOBODY);
    }

    private static boolean succeeds(List<String> prefix, String... words) throws InterruptedException {
        try {
            return new ProcessBuilder(joined(prefix, words))
                            .redirectErrorStream(true)
                            .redirectOutput(Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean canBeGiven(Path directory) throws InterruptedException {
        try {
            var accounts = directory.getFileSystem().getUserPrincipalLookupService();
            var before = Files.getOwner(directory);
            Files.setOwner(directory, accounts.lookupPrincipalByName(ACCOUNT));
            boolean reached = succeeds(AS_ACCOUNT, "test", "-w", directory.toString());
            if (!reached) {
                Files.setOwner(directory, before);
            }
            return reached;
        } catch (IOException e) {
            // There is no such account.
            return false;
        }
    }

    /** The command of a program. */
    public List<String> command(String program, String... arguments) {
        return joined(joined(prefix, binaries.resolve(program).toString()), arguments);
    }

    private static List<String> joined(List<String> first, String... rest) {
        return Stream.concat(first.stream(), Stream.of(rest)).toList();
    }

    /**
     * Runs a program to its end.
     *
     * @param input what it reads
     * @param log what it prints is added there
     * @throws StackException when it fails
     */
    void run(Path directory, String input, Path log, String program, String... arguments)
            throws StackException, InterruptedException {
        try {
            Process process = new ProcessBuilder(command(program, arguments))
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(Redirect.appendTo(log.toFile()))
                    .start();
            try (var out = process.getOutputStream()) {
                out.write(input.getBytes(StandardCharsets.UTF_8));
            }
            if (process.waitFor() != 0) {
                throw new StackException(program + " of PostgreSQL ended with " + process.exitValue() + "; its log, "
                        + log + ", ends with\n" + LogTail.lastLines(log, 8));
            }
        } catch (IOException e) {
            throw new StackException(program + " of PostgreSQL could not be run: " + e.getMessage());
        }
    }
}
