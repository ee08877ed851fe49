package dev.tidemark.deploy.bench;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.BoundedWait;

/**
 * A separate PostgreSQL server with the table of the customers, reached through a socket in its directory: it listens
 * on no port. It builds indexes by {@code CREATE INDEX CONCURRENTLY}, which lets writes go on as well.
 *
 * @param directory of all its files; its programs can read and write there
 */
record PostgresServer(PostgresTools tools, Path directory, Process process, Clock clock) implements IndexBuilder {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration STEP = Duration.ofMillis(200);
    private static final String ACCOUNT = "postgres";
    private static final List<String> COLUMNS =
            List.of("customerId", "firstName", "lastName", "street", "town", "phone", "active", "change");

    /** Starts a server with an empty table below the directory; empty where PostgreSQL is not installed. */
    static Optional<PostgresServer> installed(Path parent, Clock clock) throws Exception {
        Optional<PostgresTools> tools = PostgresTools.installed();
        return tools.isEmpty() ? Optional.empty() : Optional.of(start(tools.get(), parent, clock));
    }

    /** Makes a database cluster below the directory and starts a server over it. */
    private static PostgresServer start(PostgresTools tools, Path parent, Clock clock) throws Exception {
        Path directory = Files.createTempDirectory(parent, "postgres-");
        tools.give(directory);
        String data = directory.resolve("data").toString();
        tools.run(directory, "initdb", "-D", data, "-U", ACCOUNT, "-A", "trust", "-E", "UTF8", "--locale=C");
        Process process =
                tools.start(directory, "postgres", "-D", data, "-k", directory.toString(), "-c", "listen_addresses=");
        PostgresServer server = new PostgresServer(tools, directory, process, clock);
        Instant end = clock.instant().plus(PATIENCE);
        while (server.answer("select 1").isEmpty()) {
            if (!process.isAlive() || clock.instant().isAfter(end)) {
                server.close();
                throw new BenchException("PostgreSQL did not start within " + PATIENCE.toSeconds() + " s");
            }
            BoundedWait.rest(STEP);
        }
        server.run("create table customers (\"customerId\" int primary key, \"firstName\" text, \"lastName\" text,"
                + " street text, town text, phone text, active boolean, change bigint)");
        return server;
    }

    /** What a statement prints. */
    String run(String... statements) throws Exception {
        return tools.run(directory, "psql", psql(statements));
    }

    /** Makes the index that Tidemark's worker keeps in the benchmarks. */
    void createIndex() throws Exception {
        run("create index by_town_last_name on customers (town, \"lastName\")");
    }

    @Override
    public String name() {
        return "PostgreSQL";
    }

    @Override
    public void load(Stream<CustomerRow> rows) throws Exception {
        Path file = directory.resolve("rows.csv");
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (Iterator<CustomerRow> each = rows.iterator(); each.hasNext(); ) {
                out.write(line(each.next()));
            }
        } catch (IOException e) {
            throw new BenchException("the rows for PostgreSQL could not be written: " + e.getMessage(), e);
        }
        copyFile(file);
        // As after a night: no other work waits.
        run("vacuum analyze customers", "checkpoint");
    }

    @Override
    public Duration build(IndexBuilder.IndexShape shape) throws Exception {
        Instant begin = clock.instant();
        run("create index concurrently by_last_name_town on customers (\"lastName\", town)");
        return Duration.between(begin, clock.instant());
    }

    @Override
    public void drop() throws Exception {
        run("drop index by_last_name_town", "checkpoint");
    }

    /** Copies a file of CSV into the table. */
    void copyFile(Path file) throws Exception {
        tools.feed(file, directory, "psql", psql("copy customers from stdin with (format csv)"));
    }

    /** A row as a line of CSV. */
    static String line(CustomerRow customer) {
        try {
            JsonNode row = RowJson.parseEnvelope(customer.bytes());
            return COLUMNS.stream().map(column -> row.path(column).asText()).collect(Collectors.joining(",", "", "\n"));
        } catch (BadJsonException e) {
            throw new IllegalStateException("Expected a customer to be JSON, but " + e.getMessage(), e);
        }
    }

    /** Runs pgbench in the directory of the server; what it prints. */
    String pgbench(String... arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of("-h", directory.toString(), "-U", ACCOUNT, "--no-vacuum"));
        all.addAll(List.of(arguments));
        return tools.run(directory, "pgbench", all.toArray(String[]::new));
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

    private Optional<String> answer(String statement) throws Exception {
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

    /**
     * The programs of PostgreSQL. They refuse to run as root, so root runs them as the account that the package makes.
     *
     * @param binaries where they are
     * @param prefix what to put before each call
     */
    record PostgresTools(Path binaries, List<String> prefix) {
        private static final Path INSTALLED = Path.of("/usr/lib/postgresql");
        private static final String ACCOUNT = "postgres";

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
                        directory
                                .getFileSystem()
                                .getUserPrincipalLookupService()
                                .lookupPrincipalByName(ACCOUNT));
            }
        }

        /** Starts a program; what it complains of goes into a file of its name in the directory. */
        Process start(Path directory, String program, String... arguments) throws Exception {
            return start(ProcessBuilder.Redirect.PIPE, directory, program, arguments);
        }

        private Process start(ProcessBuilder.Redirect input, Path directory, String program, String... arguments)
                throws Exception {
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
        String run(Path directory, String program, String... arguments) throws Exception {
            return run(ProcessBuilder.Redirect.PIPE, directory, program, arguments);
        }

        /** The same with a file as its input. */
        String feed(Path input, Path directory, String program, String... arguments) throws Exception {
            return run(ProcessBuilder.Redirect.from(input.toFile()), directory, program, arguments);
        }

        private String run(ProcessBuilder.Redirect input, Path directory, String program, String... arguments)
                throws Exception {
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
}
