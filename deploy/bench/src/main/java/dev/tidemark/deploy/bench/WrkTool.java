package dev.tidemark.deploy.bench;

import java.io.File;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.tidemark.deploy.stack.LocalStack;

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
     * Tidemark beside PostgreSQL, and where it is queried, beside what a Java program could answer from others.
     *
     * @param scenario {@link Scenario#PUT} or {@link Scenario#QUERY}
     * @param searchPath directories that may hold wrk, like the value of {@code PATH}
     */
    public static Suite suite(Scenario scenario, String searchPath, BaselineCommands commands) {
        Optional<WrkTool> wrk = on(searchPath);
        List<Suite.SuiteBaseline> baselines = new ArrayList<>(List.of(new Suite.SuiteBaseline(
                context -> PostgresBaselines.pgbench(scenario, context), Suite.POSTGRES_REMEDY)));
        if (scenario == Scenario.QUERY) {
            HttpBaselines others = new HttpBaselines(wrk, commands);
            baselines.add(new Suite.SuiteBaseline(others::postgres, Suite.POSTGRES_REMEDY));
            baselines.add(new Suite.SuiteBaseline(others::streams, BaselineCommands.REMEDY));
        }
        return new Suite(
                wrk.isPresent() ? Optional.empty() : Optional.of(REMEDY),
                context -> wrk.orElseThrow().tidemark(scenario, context),
                baselines);
    }

    Contender<Map<Figure, Double>> tidemark(Scenario scenario, ScenarioContext context) throws Exception {
        TidemarkTarget tidemark = context.filledTable();
        AtomicInteger rounds = new AtomicInteger();
        Scenario.ScenarioSize size = context.size();
        return new Contender<>(tidemark.name(), () -> {
            int round = rounds.incrementAndGet();
            if (scenario == Scenario.QUERY) {
                return queries(context, context.stack().services().workerUrl(), round);
            }
            WrkOutput output = run(scenario, context.stack(), size.time(), size.rows(), round);
            // Loading nothing waits until the index has caught up with what was written.
            tidemark.load(Stream.empty());
            return Map.of(Figure.PUT, output.perSecond());
        });
    }

    /** A round of queries to a service: over all connections, then over one. */
    Map<Figure, Double> queries(ScenarioContext context, URI url, int round) throws Exception {
        Scenario.ScenarioSize size = context.size();
        Path script = script(context.stack(), Scenario.QUERY);
        WrkOutput many = run(script, url, Scenario.QUERY.connections(), size.time(), size.rows(), round);
        WrkOutput one = run(script, url, 1, size.timeAlone(), size.rows(), round);
        return Map.of(
                Figure.QUERY, many.perSecond(),
                Figure.QUERY_P99, many.p99Millis(),
                Figure.QUERY_ALONE_P50, one.p50Millis(),
                Figure.QUERY_ALONE_P99, one.p99Millis());
    }

    /**
     * Runs the requests of a scenario against the writer or the worker for a time.
     *
     * @param scenario {@link Scenario#PUT} or {@link Scenario#QUERY}
     * @param rows of the table, for the script
     * @param round its number, for the script
     */
    WrkOutput run(Scenario scenario, BenchStack stack, Duration time, int rows, int round) throws Exception {
        LocalStack services = stack.services();
        URI url = scenario == Scenario.PUT ? services.writerUrl() : services.workerUrl();
        return run(script(stack, scenario), url, scenario.connections(), time, rows, round);
    }

    private static Path script(BenchStack stack, Scenario scenario) {
        return stack.installation().home().resolve(SCRIPTS).resolve(scenario.label() + ".lua");
    }

    private WrkOutput run(Path script, URI url, int connections, Duration time, int rows, int round) throws Exception {
        List<String> command = List.of(
                program.toString(),
                "--threads=1",
                "--connections=" + connections,
                "--duration=" + time.toSeconds() + "s",
                "--timeout=10s",
                "--latency",
                "--script=" + script,
                url.toString(),
                "--",
                Integer.toString(rows),
                Integer.toString(round));
        return WrkOutput.parse(LineProcess.output(new ProcessBuilder(command), "wrk"));
    }

    /**
     * What wrk prints at its end.
     *
     * @param perSecond answers a second
     * @param p50Millis the median of the time to an answer, in milliseconds
     * @param p99Millis the 99th percentile of it
     */
    public record WrkOutput(double perSecond, double p50Millis, double p99Millis) {
        private static final Pattern RATE = Pattern.compile("(?m)^Requests/sec:\\s+(\\S+)");
        private static final String PERCENTILE = "(?m)^\\s+%d%%\\s+([0-9.]+)(us|ms|s|m)\\s*$";
        private static final Pattern P50 = Pattern.compile(PERCENTILE.formatted(50));
        private static final Pattern P99 = Pattern.compile(PERCENTILE.formatted(99));
        private static final Pattern FAILED = Pattern.compile("(?m)^\\s+(Non-2xx.*|Socket errors:.*)$");
        private static final Map<String, Double> MILLIS = Map.of("us", 1e-3, "ms", 1.0, "s", 1e3, "m", 6e4);

        /**
         * Reads it.
         *
         * @throws BenchException when something failed, or the text is not what wrk prints
         */
        static WrkOutput parse(String text) throws Exception {
            Matcher failed = FAILED.matcher(text);
            if (failed.find()) {
                throw new BenchException("requests failed, as wrk reports: " + failed.group(1));
            }
            Matcher rate = RATE.matcher(text);
            Matcher p50 = P50.matcher(text);
            Matcher p99 = P99.matcher(text);
            if (!rate.find() || !p50.find() || !p99.find()) {
                throw new BenchException("expected what wrk prints at its end, but got: " + text.strip());
            }
            return new WrkOutput(Double.parseDouble(rate.group(1)), millis(p50), millis(p99));
        }

        private static double millis(Matcher time) {
            return Double.parseDouble(time.group(1)) * MILLIS.getOrDefault(time.group(2), 1.0);
        }
    }
}
