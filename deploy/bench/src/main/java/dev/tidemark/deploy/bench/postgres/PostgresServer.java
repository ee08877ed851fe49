package dev.tidemark.deploy.bench.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.runtime.BoundedWait;

/** A separate PostgreSQL server, reached through a socket in its directory: it listens on no port. */
final class PostgresServer implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration STEP = Duration.ofMillis(200);
    private static final String ACCOUNT = "postgres";

    private final PostgresTools tools;
    private final Path directory;
    private final Process process;

    private PostgresServer(PostgresTools tools, Path directory, Process process) {
        this.tools = tools;
        this.directory = directory;
        this.process = process;
    }

    /** Makes a database cluster below the directory and starts a server over it. */
    static PostgresServer start(PostgresTools tools, Path parent, Clock clock)
            throws BenchException, IOException, InterruptedException {
        Path directory = Files.createTempDirectory(parent, "postgres-");
        tools.give(directory);
        String data = directory.resolve("data").toString();
        tools.run(directory, "initdb", "-D", data, "-U", ACCOUNT, "-A", "trust", "-E", "UTF8", "--locale=C");
        Process process =
                tools.start(directory, "postgres", "-D", data, "-k", directory.toString(), "-c", "listen_addresses=");
        PostgresServer server = new PostgresServer(tools, directory, process);
        Instant end = clock.instant().plus(PATIENCE);
        while (server.answer("select 1").isEmpty()) {
            if (!process.isAlive() || clock.instant().isAfter(end)) {
                server.close();
                throw new BenchException("PostgreSQL did not start within " + PATIENCE.toSeconds() + " s");
            }
            BoundedWait.rest(STEP);
        }
        return server;
    }

    /** What a statement prints. */
    String run(String... statements) throws BenchException, InterruptedException {
        return tools.run(directory, "psql", psql(statements));
    }

    /** A client that copies what it reads into a table. */
    Process copyInto(String table) throws BenchException {
        return tools.start(directory, "psql", psql("copy " + table + " from stdin with (format csv)"));
    }

    /** Copies a file of CSV into a table. */
    void copyFile(Path file, String table) throws BenchException, InterruptedException {
        tools.feed(file, directory, "psql", psql("copy " + table + " from stdin with (format csv)"));
    }

    /** Runs pgbench in the directory of the server; what it prints. */
    String pgbench(String... arguments) throws BenchException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("-h", directory.toString(), "-U", ACCOUNT, "--no-vacuum"));
        all.addAll(List.of(arguments));
        return tools.run(directory, "pgbench", all.toArray(String[]::new));
    }

    /** Where it keeps everything; its programs can read and write there. */
    Path directory() {
        return directory;
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private Optional<String> answer(String statement) throws InterruptedException {
        try {
            return Optional.of(run(statement));
        } catch (BenchException e) {
            return Optional.empty();
        }
    }

    private String[] psql(String... statements) {
        List<String> arguments = new ArrayList<>(
                List.of("-h", directory.toString(), "-U", ACCOUNT, "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"));
        for (String statement : statements) {
            arguments.add("-c");
            arguments.add(statement);
        }
        return arguments.toArray(String[]::new);
    }
}
