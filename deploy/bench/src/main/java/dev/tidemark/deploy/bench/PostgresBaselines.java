package dev.tidemark.deploy.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.tidemark.deploy.bench.Scenario.ScenarioSize;
import dev.tidemark.deploy.bench.WrkTool.Requests;

/** PostgreSQL as a baseline, each time with a separate server; empty where it is not installed. */
final class PostgresBaselines {
    private static final Pattern RATE = Pattern.compile("(?m)^tps = (\\S+) \\(without initial connection time\\)$");
    private static final Pattern FAILED = Pattern.compile("(?m)^number of failed transactions: ([1-9].*)$");
    /** Client, transaction, microseconds, script, and when it ended in seconds and microseconds. */
    private static final int MICROS = 2;

    static final double P50 = 0.50;
    static final double P99 = 0.99;

    private PostgresBaselines() {}

    /** Under pgbench, with the rows and the index there. */
    static Optional<Contender> pgbench(Requests requests, ScenarioContext context) throws Exception {
        Optional<PostgresServer> server = filled(context);
        return server.isEmpty()
                ? Optional.empty()
                : Optional.of(PgbenchRound.prepare(server.get(), context, requests)::run);
    }

    /** {@code COPY} of the rows of one file after the other, with an empty table and the index there. */
    static Optional<Contender> copy(ScenarioContext context) throws Exception {
        Optional<PostgresServer> found = PostgresServer.indexed(context.stack());
        if (found.isEmpty()) {
            return Optional.empty();
        }
        PostgresServer server = found.get();
        Iterator<Path> files = context.rowFiles("csv", PostgresServer::line);
        Clock clock = context.stack().clock();
        return Optional.of(() -> {
            Path file = files.next();
            Instant begin = clock.instant();
            server.copyFile(file);
            Duration took = Duration.between(begin, clock.instant());
            server.run("checkpoint");
            return Map.of(Figure.BULK, context.size().rows() * 1e9 / took.toNanos());
        });
    }

    /** A server with the rows and the index there; empty where it is not installed. */
    static Optional<PostgresServer> filled(ScenarioContext context) throws Exception {
        Optional<PostgresServer> found = PostgresServer.indexed(context.stack());
        if (found.isPresent()) {
            found.get().load(CustomerRow.table(context.size().rows()));
        }
        return found;
    }

    /**
     * PostgreSQL under the load of pgbench.
     *
     * @param script where the account that runs pgbench can read it
     */
    record PgbenchRound(PostgresServer server, ScenarioContext context, Requests requests, Path script) {
        private static final Path SCRIPTS = Path.of("deploy", "bench", "scripts");
        private static final String LOG = "transactions";

        static PgbenchRound prepare(PostgresServer server, ScenarioContext context, Requests requests)
                throws IOException {
            String name = requests.label() + ".sql";
            Path scripts = context.stack().installation().home().resolve(SCRIPTS);
            Path script = Files.writeString(server.directory().resolve(name), Files.readString(scripts.resolve(name)));
            return new PgbenchRound(server, context, requests, script);
        }

        Map<Figure, Double> run() throws Exception {
            ScenarioSize size = context.size();
            String printed = server.pgbench(arguments(requests.connections(), size.time()));
            Map<Figure, Double> found = new HashMap<>();
            found.put(requests == Requests.QUERY ? Figure.QUERY : Figure.PUT, perSecond(printed));
            if (requests == Requests.QUERY) {
                found.put(Figure.QUERY_P99, millis(takeLog(), P99));
                perSecond(server.pgbench(arguments(1, size.timeAlone())));
                List<String> alone = takeLog();
                found.put(Figure.QUERY_ALONE_P50, millis(alone, P50));
                found.put(Figure.QUERY_ALONE_P99, millis(alone, P99));
            }
            // So that a checkpoint that is due does not come in the other's round.
            server.run("checkpoint");
            return found;
        }

        private List<String> arguments(int clients, Duration time) {
            List<String> arguments = new ArrayList<>(List.of(
                    "--protocol=prepared",
                    "--client=" + clients,
                    "--jobs=1",
                    "--time=" + time.toSeconds(),
                    "--define=customers=" + context.size().rows(),
                    "--file=" + script));
            if (requests == Requests.QUERY) {
                // Writing a line for every transaction would take from what is measured.
                arguments.addAll(List.of("--log", "--log-prefix=" + LOG, "--sampling-rate=0.1"));
            }
            arguments.add("postgres");
            return arguments;
        }

        private List<String> takeLog() throws IOException {
            List<String> lines = new ArrayList<>();
            try (Stream<Path> files = Files.list(server.directory())) {
                for (Path file : files.filter(
                                each -> each.getFileName().toString().startsWith(LOG + "."))
                        .toList()) {
                    lines.addAll(Files.readAllLines(file));
                    Files.delete(file);
                }
            }
            return lines;
        }
    }

    /**
     * Transactions a second.
     *
     * @throws BenchException when any failed, or the text is not what pgbench prints
     */
    static double perSecond(String text) throws Exception {
        Matcher failed = FAILED.matcher(text);
        if (failed.find()) {
            throw new BenchException("transactions failed, as pgbench reports: " + failed.group(1));
        }
        Matcher rate = RATE.matcher(text);
        if (!rate.find()) {
            throw new BenchException("expected what pgbench prints at its end, but got: " + text.strip());
        }
        return Double.parseDouble(rate.group(1));
    }

    /** Returns a percentile of the transactions in these lines, in milliseconds. */
    static double millis(List<String> lines, double percentile) throws Exception {
        try {
            List<Double> micros = lines.stream()
                    .map(line -> Double.parseDouble(line.split(" ", -1)[MICROS]))
                    .toList();
            return Numbers.quantile(micros, percentile) / 1e3;
        } catch (IndexOutOfBoundsException | NumberFormatException e) {
            throw new BenchException("expected the lines that pgbench writes for transactions, but got " + lines, e);
        }
    }
}
