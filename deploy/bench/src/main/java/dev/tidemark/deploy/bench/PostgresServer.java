package dev.tidemark.deploy.bench;

import java.io.BufferedWriter;
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

import dev.tidemark.deploy.bench.IndexBuilder.IndexShape;
import dev.tidemark.deploy.stack.LogTail;
import dev.tidemark.deploy.stack.PostgresPrograms;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.BoundedWait;

/**
 * A separate PostgreSQL server with the table of the customers, reached through a socket in its directory, or on an
 * address of this machine alone, which no other server has. It builds indexes by {@code CREATE INDEX CONCURRENTLY},
 * which lets writes go on as well.
 *
 * @param directory of all files of the server; its programs can read and write there
 */
record PostgresServer(PostgresPrograms programs, Path directory, Process process, Clock clock) implements IndexBuilder {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration STEP = Duration.ofMillis(200);
    private static final String ACCOUNT = "postgres";
    private static final List<String> COLUMNS =
            List.of("customerId", "firstName", "lastName", "street", "town", "phone", "active", "change");

    /**
     * Starts the newest server of this machine with an empty table, which ends with the stack.
     *
     * @return empty where PostgreSQL is not installed
     */
    static Optional<PostgresServer> installed(BenchStack stack) throws Exception {
        return PostgresPrograms.find(System.getenv()).isPresent() ? Optional.of(start(stack)) : Optional.empty();
    }

    /** The same with the index that Tidemark's worker keeps in the benchmarks. */
    static Optional<PostgresServer> indexed(BenchStack stack) throws Exception {
        Optional<PostgresServer> found = installed(stack);
        if (found.isPresent()) {
            found.get().run("create index by_town_last_name on customers (town, \"lastName\")");
        }
        return found;
    }

    /** Makes a database cluster and starts a server over it. */
    private static PostgresServer start(BenchStack stack) throws Exception {
        Clock clock = stack.clock();
        Path directory = Files.createTempDirectory(stack.directory(), "postgres-");
        PostgresPrograms programs = PostgresPrograms.forDirectory(directory);
        String data = directory.resolve("data").toString();
        String[] empty = {"-D", data, "-U", ACCOUNT, "-A", "trust", "-E", "UTF8", "--locale=C"};
        LineProcess.output(program(programs, directory, "initdb", empty), "initdb");
        String[] listening = {"-D", data, "-k", directory.toString(), "-c", "listen_addresses=" + address(directory)};
        Process process = program(programs, directory, "postgres", listening)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("postgres.log").toFile())
                .start();
        PostgresServer server = new PostgresServer(programs, directory, process, clock);
        stack.atEnd(server::close);
        Instant end = clock.instant().plus(PATIENCE);
        while (!server.answers()) {
            if (!process.isAlive() || clock.instant().isAfter(end)) {
                throw new BenchException("PostgreSQL did not start within " + PATIENCE.toSeconds()
                        + " s; the end of its log:\n" + LogTail.lastLines(directory.resolve("postgres.log"), 8));
            }
            BoundedWait.rest(STEP);
        }
        server.run("create table customers (\"customerId\" int primary key, \"firstName\" text, \"lastName\" text,"
                + " street text, town text, phone text, active boolean, change bigint)");
        return server;
    }

    private boolean answers() throws InterruptedException {
        try {
            run("select 1");
            return true;
        } catch (BenchException e) {
            return false;
        }
    }

    /** How Java programs reach it. */
    String jdbcUrl() {
        return "jdbc:postgresql://" + address(directory) + "/postgres?user=" + ACCOUNT;
    }

    /** One of the loopback addresses, so that the usual port is free on it. */
    private static String address(Path directory) {
        int hash = directory.hashCode() & 0x7fff_ffff;
        return "127." + (1 + hash % 250) + "." + (1 + hash / 250 % 250) + "." + (1 + hash / 62_500 % 250);
    }

    /** Runs statements. */
    void run(String... statements) throws BenchException, InterruptedException {
        LineProcess.output(psql(statements), "psql");
    }

    @Override
    public void load(Stream<CustomerRow> rows) throws Exception {
        Path file = directory.resolve("rows.csv");
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (Iterator<CustomerRow> each = rows.iterator(); each.hasNext(); ) {
                out.write(line(each.next()));
            }
        }
        copyFile(file);
        // As after a night: no other work waits.
        run("vacuum analyze customers", "checkpoint");
    }

    @Override
    public Duration build(IndexShape shape) throws Exception {
        Instant begin = clock.instant();
        run("create index concurrently by_last_name_town on customers (\"lastName\", town)");
        return Duration.between(begin, clock.instant());
    }

    @Override
    public void drop() throws Exception {
        run("drop index by_last_name_town", "checkpoint");
    }

    /** Copies a file of CSV into the table. */
    void copyFile(Path file) throws BenchException, InterruptedException {
        ProcessBuilder copy = psql("copy customers from stdin with (format csv)");
        LineProcess.output(copy.redirectInput(file.toFile()), "psql");
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
    String pgbench(List<String> arguments) throws BenchException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("-h", directory.toString(), "-U", ACCOUNT, "--no-vacuum"));
        all.addAll(arguments);
        return LineProcess.output(program(programs, directory, "pgbench", all.toArray(String[]::new)), "pgbench");
    }

    private void close() {
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

    private ProcessBuilder psql(String... statements) {
        List<String> arguments = new ArrayList<>(
                List.of("-h", directory.toString(), "-U", ACCOUNT, "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"));
        List.of(statements).forEach(statement -> arguments.addAll(List.of("-c", statement)));
        return program(programs, directory, "psql", arguments.toArray(String[]::new));
    }

    /** A program of PostgreSQL, in the directory of the server: the account that runs it can return there. */
    private static ProcessBuilder program(PostgresPrograms programs, Path directory, String name, String... arguments) {
        return new ProcessBuilder(programs.command(name, arguments)).directory(directory.toFile());
    }
}
