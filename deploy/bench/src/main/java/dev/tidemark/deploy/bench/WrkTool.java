package dev.tidemark.deploy.bench;

import java.io.File;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.tidemark.deploy.bench.Scenario.ScenarioSize;
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

    /** What is asked, by a script of that name. */
    enum Requests {
        PUT(64),
        QUERY(16);

        private final int connections;

        Requests(int connections) {
            this.connections = connections;
        }

        /** The name of its scripts. */
        String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** The number of connections that are busy all the time. */
        int connections() {
            return connections;
        }
    }

    /** Tidemark with all rows of the size. */
    Contender contender(Requests requests, ScenarioContext context) throws Exception {
        TidemarkTarget tidemark = context.filledTable();
        LocalStack services = context.stack().services();
        if (requests == Requests.QUERY) {
            return queries(context, services.workerUrl());
        }
        AtomicInteger rounds = new AtomicInteger();
        ScenarioSize size = context.size();
        return () -> {
            Path script = script(context.stack(), requests);
            int round = rounds.incrementAndGet();
            WrkOutput output =
                    run(script, services.writerUrl(), requests.connections(), size.time(), size.rows(), round);
            // Loading nothing waits until the index has caught up with what was written.
            tidemark.load(Stream.empty());
            return Map.of(Figure.PUT, output.perSecond());
        };
    }

    /** Rounds of queries to a service: over all connections, then over one. */
    Contender queries(ScenarioContext context, URI url) {
        AtomicInteger rounds = new AtomicInteger();
        ScenarioSize size = context.size();
        Path script = script(context.stack(), Requests.QUERY);
        return () -> {
            int round = rounds.incrementAndGet();
            WrkOutput many = run(script, url, Requests.QUERY.connections(), size.time(), size.rows(), round);
            WrkOutput one = run(script, url, 1, size.timeAlone(), size.rows(), round);
            return Map.of(
                    Figure.QUERY, many.perSecond(),
                    Figure.QUERY_P99, many.p99Millis(),
                    Figure.QUERY_ALONE_P50, one.p50Millis(),
                    Figure.QUERY_ALONE_P99, one.p99Millis());
        };
    }

    /** Queries the worker of a stack for a time. */
    WrkOutput query(BenchStack stack, Duration time, int round) throws Exception {
        Path script = script(stack, Requests.QUERY);
        return run(script, stack.services().workerUrl(), Requests.QUERY.connections(), time, 0, round);
    }

    private static Path script(BenchStack stack, Requests requests) {
        return stack.installation().home().resolve(SCRIPTS).resolve(requests.label() + ".lua");
    }

    /**
     * Runs it.
     *
     * @param rows of the table, for the script
     * @param round its number, for the script
     */
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
