package dev.tidemark.deploy.bench.postgres;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.CustomerRow;
import dev.tidemark.deploy.bench.IndexBuilder;
import dev.tidemark.deploy.bench.IndexShape;
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
    static Optional<PostgresServer> installed(Path parent, Clock clock)
            throws BenchException, IOException, InterruptedException {
        Optional<PostgresTools> tools = PostgresTools.installed();
        return tools.isEmpty() ? Optional.empty() : Optional.of(start(tools.get(), parent, clock));
    }

    /** Makes a database cluster below the directory and starts a server over it. */
    private static PostgresServer start(PostgresTools tools, Path parent, Clock clock)
            throws BenchException, IOException, InterruptedException {
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
    String run(String... statements) throws BenchException, InterruptedException {
        return tools.run(directory, "psql", psql(statements));
    }

    /** Makes the index that Tidemark's worker keeps in the benchmarks. */
    void createIndex() throws BenchException, InterruptedException {
        run("create index by_town_last_name on customers (town, \"lastName\")");
    }

    @Override
    public String name() {
        return "PostgreSQL";
    }

    @Override
    public void load(Stream<CustomerRow> rows) throws BenchException, InterruptedException {
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
    public Duration build(IndexShape shape) throws BenchException, InterruptedException {
        Instant begin = clock.instant();
        run("create index concurrently by_last_name_town on customers (\"lastName\", town)");
        return Duration.between(begin, clock.instant());
    }

    @Override
    public void drop() throws BenchException, InterruptedException {
        run("drop index by_last_name_town", "checkpoint");
    }

    /** Copies a file of CSV into the table. */
    void copyFile(Path file) throws BenchException, InterruptedException {
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
    String pgbench(String... arguments) throws BenchException, InterruptedException {
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
