package dev.tidemark.deploy.bench;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** A worker as its table grows, in a separate stack. */
public final class GrowthBenchmark {
    private GrowthBenchmark() {}

    /**
     * The command and the measurement.
     *
     * @param searchPath directories that may hold wrk, like the value of {@code PATH}
     */
    public static Benchmark benchmark(String searchPath) {
        return new Benchmark(
                "growth",
                """
                Measures how a worker follows and answers, and how much memory it has, as its table grows.
                At each size the worker is ended, gets changes that it has not seen, catches up with them, \
                and is asked by wrk.
                """,
                """

                The whole suite goes up to 2,000,000 rows only: to write 20,000,000 takes most of the time.

                Examples:
                  tidemark bench growth --quick
                  tidemark bench growth --soak 30m
                """,
                false,
                List.of(
                        Arguments.flag("--quick", "20,000 and 100,000 rows, one round."),
                        Arguments.numbers("--rows", "1000000,20000000", "Sizes of the table, growing"),
                        Arguments.number("--changes", 1, "500000", "Changes to catch up with, each round"),
                        Arguments.number("--rounds", 1, "5", "How often each is measured"),
                        Arguments.time("--time", Duration.ofSeconds(1), "10s", "How long to ask, each round"),
                        Arguments.time("--soak", Duration.ZERO, "0s", "Go on for this time, and watch the memory")),
                (arguments, bench) -> run(size(arguments), searchPath, bench));
    }

    private static GrowthSize size(Arguments arguments) {
        List<Integer> rows = arguments.get("--rows", List.<Integer>of());
        if (!rows.equals(rows.stream().sorted().distinct().toList())) {
            throw arguments.wrong("expected --rows that grow, but got " + rows);
        }
        return arguments.quick()
                ? GrowthSize.QUICK
                : new GrowthSize(
                        rows,
                        arguments.number("--changes"),
                        arguments.number("--rounds"),
                        arguments.get("--time", Duration.ZERO),
                        arguments.get("--soak", Duration.ZERO));
    }

    private static Report run(GrowthSize size, String searchPath, Bench bench) throws Exception {
        WrkTool wrk = WrkTool.on(searchPath).orElseThrow(() -> new BenchException(WrkTool.REMEDY));
        try (BenchStack stack = BenchStack.start(bench)) {
            GrowingStack growing = new LocalGrowingStack(stack, wrk);
            return new GrowthRun(size, growing, bench.clock(), bench.progress())
                    .run()
                    .report(bench.machine(), size.rounds());
        }
    }

    /** A stack of processes on this machine, queried by wrk. */
    static final class LocalGrowingStack implements GrowingStack {
        private static final Pattern RESIDENT = Pattern.compile("(?m)^VmRSS:\\s+(\\d+) kB$");
        private static final long KILOBYTE = 1_024;

        private final BenchStack stack;
        private final TidemarkTarget tidemark;
        private final WrkTool wrk;
        private final StackWorker worker;
        private int queries;

        LocalGrowingStack(BenchStack stack, WrkTool wrk) {
            this.stack = stack;
            this.tidemark = stack.tidemark();
            this.wrk = wrk;
            this.worker = new StackWorker(stack, tidemark, false);
        }

        @Override
        public void write(Stream<CustomerRow> rows) throws Exception {
            tidemark.load(rows);
        }

        @Override
        public double follow(Stream<CustomerRow> rows, int changes) throws Exception {
            worker.end();
            tidemark.loadAll(rows);
            double perSecond = worker.follow(changes).perSecond();
            write(Stream.empty());
            return perSecond;
        }

        @Override
        public WrkTool.WrkOutput query(Duration time) throws Exception {
            queries++;
            return wrk.query(stack, time, queries);
        }

        @Override
        public long residentBytes() throws IOException {
            Matcher found = RESIDENT.matcher(worker.reported("status"));
            if (!found.find()) {
                throw new IOException("the system does not report the memory of the worker");
            }
            return Long.parseLong(found.group(1)) * KILOBYTE;
        }
    }

    /**
     * How large a run is.
     *
     * @param rows of the table at each size, growing
     * @param changes that the worker catches up with, each round
     * @param rounds at each size
     * @param time of the queries, each round
     * @param soak how long to go on at the last size; zero for not at all
     */
    record GrowthSize(List<Integer> rows, int changes, int rounds, Duration time, Duration soak) {
        /** Something to look at. */
        static final GrowthSize QUICK =
                new GrowthSize(List.of(20_000, 100_000), 50_000, 1, Duration.ofSeconds(2), Duration.ZERO);
    }

    /** A writer and a worker with one index, whose table grows. For one thread. */
    interface GrowingStack {
        /** Writes rows, and comes back when the index has them. */
        void write(Stream<CustomerRow> rows) throws Exception;

        /**
         * Ends the worker, writes, and starts it again.
         *
         * @param changes how many there are
         * @return changes a second that the worker applied until it had caught up, its start not counted
         */
        double follow(Stream<CustomerRow> rows, int changes) throws Exception;

        /** Queries the first 20 entries of towns, over 16 connections, for a time. */
        WrkTool.WrkOutput query(Duration time) throws Exception;

        /** Bytes of memory that the worker's process has now. */
        long residentBytes() throws IOException;
    }

    /** Lets a table grow, and measures at each size; then, where that is wanted, goes on for a time at the last one. */
    static final class GrowthRun {
        /** Changes of one step of a soak, and the time of the queries after them. */
        private static final int STEP_CHANGES = 20_000;

        private static final Duration STEP_TIME = Duration.ofSeconds(5);

        private static final Figure ANSWERS = new Figure("answers", "answers", "answers/s");
        private static final Figure P99 = new Figure("p99", "99th percentile of an answer", "ms");
        private static final Figure MEMORY = new Figure("memory", "memory of the worker", "MiB");

        private final GrowthSize size;
        private final GrowingStack stack;
        private final Clock clock;
        private final Consumer<String> progress;
        private long changes;

        GrowthRun(GrowthSize size, GrowingStack stack, Clock clock, Consumer<String> progress) {
            this.size = size;
            this.stack = stack;
            this.clock = clock;
            this.progress = progress;
        }

        Growth run() throws Exception {
            List<Growth.Stage> stages = new ArrayList<>();
            int there = 0;
            for (int rows : size.rows()) {
                stack.write(IntStream.range(there, rows).mapToObj(CustomerRow::ofRow));
                there = rows;
                String title = Numbers.whole(rows) + " rows";
                progress.accept(title + " are there");
                Map<String, Contender> alone = Map.of(Contender.TIDEMARK, () -> round(rows));
                stages.add(stage(rows, Rounds.run(title, 0, size.rounds(), alone, Figure::text, progress)));
            }
            Optional<Soak> soak = size.soak().isZero() ? Optional.empty() : Optional.of(soak(there));
            return new Growth(stages, soak);
        }

        private Map<Figure, Double> round(int rows) throws Exception {
            long most = stack.residentBytes();
            double followed = stack.follow(changes(rows, size.changes()), size.changes());
            most = Math.max(most, stack.residentBytes());
            // The new process has to get warm, and its caches too.
            stack.query(size.time());
            WrkTool.WrkOutput answers = stack.query(size.time());
            most = Math.max(most, stack.residentBytes());
            return Map.of(
                    Figure.FOLLOWED,
                    followed,
                    ANSWERS,
                    answers.perSecond(),
                    P99,
                    answers.p99Millis(),
                    MEMORY,
                    most / Soak.MEGABYTE);
        }

        private static Growth.Stage stage(int rows, Rounds rounds) {
            return new Growth.Stage(
                    rows,
                    rounds.spread(Contender.TIDEMARK, Figure.FOLLOWED).median(),
                    rounds.spread(Contender.TIDEMARK, ANSWERS).median(),
                    rounds.spread(Contender.TIDEMARK, P99).median(),
                    (long) (rounds.spread(Contender.TIDEMARK, MEMORY).max() * Soak.MEGABYTE));
        }

        private Soak soak(int rows) throws Exception {
            Instant end = clock.instant().plus(size.soak());
            List<Long> bytes = new ArrayList<>();
            while (clock.instant().isBefore(end) || bytes.size() < 3) {
                stack.write(changes(rows, STEP_CHANGES));
                stack.query(STEP_TIME);
                bytes.add(stack.residentBytes());
            }
            return new Soak(size.soak(), bytes);
        }

        private Stream<CustomerRow> changes(int rows, int count) {
            long from = changes;
            changes += count;
            return LongStream.range(from, changes).mapToObj(number -> CustomerRow.ofChange(number, rows));
        }
    }

    /**
     * The results of a worker whose table grows.
     *
     * @param stages the table's sizes, smallest first; at least one
     * @param soak memory while time went by; empty where none was to
     */
    record Growth(List<Stage> stages, Optional<Soak> soak) {
        private static final List<String> HEADER = List.of(
                "rows",
                "changes/s while it catches up",
                "answers/s",
                "p99 of an answer",
                "memory of the worker, at most");

        /**
         * Medians at one size, with the names that JSON has.
         *
         * @param appliedPerSecond changes a second until the worker had caught up
         * @param p99Millis 99th percentile of the time to an answer
         * @param memoryBytes of the worker, at most
         */
        record Stage(int rows, double appliedPerSecond, double answersPerSecond, double p99Millis, long memoryBytes) {}

        /** A row of cells for each size. */
        List<List<String>> rows() {
            return stages.stream()
                    .map(stage -> List.of(
                            Numbers.whole(stage.rows()),
                            Numbers.whole(stage.appliedPerSecond()),
                            Numbers.whole(stage.answersPerSecond()),
                            Numbers.hundredths(stage.p99Millis()) + " ms",
                            Soak.megabytes(stage.memoryBytes())))
                    .toList();
        }

        /** The last size beside the first, a line for each measure. */
        List<String> trends() {
            Stage first = stages.get(0);
            Stage last = stages.get(stages.size() - 1);
            long most = stages.stream().mapToLong(Stage::memoryBytes).max().orElse(0);
            List<String> lines = new ArrayList<>(List.of(
                    "catching up: " + Numbers.hundredths(last.appliedPerSecond() / first.appliedPerSecond())
                            + " of the first rate",
                    "99th percentile of an answer: " + Numbers.hundredths(last.p99Millis() / first.p99Millis())
                            + " times the first",
                    "memory of the worker: at most " + Soak.megabytes(most)));
            soak.ifPresent(flat -> lines.add(flat.line()));
            return lines;
        }

        Report report(Machine machine, int rounds) {
            int rows = stages.get(stages.size() - 1).rows();
            Report report = new Report("growth", machine, machine.heading(rows, rounds));
            report.json().set("stages", Report.tree(stages));
            soak.ifPresent(flat -> report.json()
                    .putObject("soak")
                    .put("seconds", flat.time().toSeconds())
                    .put("earlyBytes", flat.early())
                    .put("lateBytes", flat.late())
                    .put("mostBytes", flat.most()));
            report.table(HEADER, rows());
            report.items(trends());
            return report;
        }
    }

    /**
     * Memory of a worker that was written to and queried all the time.
     *
     * @param bytes one number after each step, in the order of time; at least three
     */
    record Soak(Duration time, List<Long> bytes) {
        private static final double MEGABYTE = 1 << 20;

        /** The median of the second third: what comes before it is how the process fills its caches. */
        long early() {
            return (long) Numbers.quantile(bytes.subList(bytes.size() / 3, bytes.size() * 2 / 3), 0.5);
        }

        /** The median of the last third. */
        long late() {
            return (long) Numbers.quantile(bytes.subList(bytes.size() * 2 / 3, bytes.size()), 0.5);
        }

        long most() {
            return bytes.stream().mapToLong(Long::longValue).max().orElse(0);
        }

        /** In one line. */
        String line() {
            return String.format(
                    Locale.ROOT,
                    "memory over %d minutes of writes and queries, %d looks: %s in the second third, %s in the last, at most %s",
                    time.toMinutes(),
                    bytes.size(),
                    megabytes(early()),
                    megabytes(late()),
                    megabytes(most()));
        }

        static String megabytes(long bytes) {
            return String.format(Locale.ROOT, "%,.0f MiB", bytes / MEGABYTE);
        }
    }
}
