package dev.tidemark.deploy.bench;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** Building an index beside PostgreSQL: the same rows for every builder, and the same index from each in turn. */
public final class BuildBenchmark {
    private static final List<String> HEADER = List.of("projection", "system", "until it is ready", "rows/s", "ratio");

    private BuildBenchmark() {}

    /** The command and the measurement. */
    public static Benchmark benchmark() {
        return new Benchmark(
                "build", """
                Measures how long it takes to build an index over a table that is there, beside CREATE INDEX \
                CONCURRENTLY.
                Starts a stack and a PostgreSQL of its own in a temporary directory; without PostgreSQL on this \
                machine it measures Tidemark alone.
                """, """

                Tidemark    from the request to create the index until it is ready, which is after it was verified
                PostgreSQL  from the start of the statement until it ends

                Example:
                  tidemark bench build --rows 100000 --rounds 3
                """, false, Arguments.ofTable(), arguments -> arguments.overTable(BuildBenchmark::run));
    }

    private static Report run(int rows, int rounds, Bench bench) throws Exception {
        Machine machine = Machine.here(bench.clock());
        try (BenchStack stack = BenchStack.start(bench)) {
            Map<IndexBuilder.IndexShape, Map<String, RoundSpread>> seconds = build(stack, rows, rounds, bench);
            stack.services().close();
            bench.progress().accept("measuring what a row costs, with nothing else running");
            return report(machine, rows, rounds, seconds, Cost.measure(Cost.Work.COPY, stack, rounds));
        }
    }

    private static Map<IndexBuilder.IndexShape, Map<String, RoundSpread>> build(
            BenchStack stack, int rows, int rounds, Bench bench) throws Exception {
        List<IndexBuilder> builders = new ArrayList<>(List.of(stack.tidemark()));
        try {
            PostgresServer.installed(stack.directory(), bench.clock())
                    .ifPresentOrElse(
                            builders::add,
                            () -> bench.progress().accept("PostgreSQL is not installed: its rows are left out"));
            return build(builders, rows, rounds, bench.progress());
        } finally {
            builders.forEach(IndexBuilder::close);
        }
    }

    /**
     * Loads the rows and builds.
     *
     * @return the seconds of the builds, by shape and then by name in the order of the builders
     */
    static Map<IndexBuilder.IndexShape, Map<String, RoundSpread>> build(
            List<IndexBuilder> builders, int rows, int rounds, Consumer<String> progress) throws Exception {
        for (IndexBuilder builder : builders) {
            builder.load(CustomerRow.table(rows));
            progress.accept(builder.name() + " has " + Numbers.whole(rows) + " rows");
        }
        Map<IndexBuilder.IndexShape, Map<String, RoundSpread>> found = new EnumMap<>(IndexBuilder.IndexShape.class);
        for (IndexBuilder.IndexShape shape : IndexBuilder.IndexShape.values()) {
            List<Contender<Double>> contenders = new ArrayList<>();
            builders.forEach(builder -> contenders.add(new Contender<>(builder.name(), () -> {
                double seconds = builder.build(shape).toNanos() / 1e9;
                builder.drop();
                return seconds;
            })));
            Rounds all = new Rounds(shape.projection(), 0, rounds, Rounds.Order.FIXED, progress);
            found.put(shape, all.spreads(contenders, seconds -> Numbers.hundredths(seconds) + " s"));
        }
        return found;
    }

    static Report report(
            Machine machine,
            int rows,
            int rounds,
            Map<IndexBuilder.IndexShape, Map<String, RoundSpread>> seconds,
            Cost cost) {
        List<List<String>> cells = new ArrayList<>();
        ObjectNode json = Report.members("build", machine).put("rows", rows).put("rounds", rounds);
        seconds.forEach((shape, byName) -> {
            ObjectNode ofShape = json.putObject(shape.projection());
            byName.forEach((name, spread) -> {
                ofShape.set(name, spread.json("Seconds"));
                cells.add(List.of(
                        shape.projection(),
                        name,
                        spread.text(Numbers::hundredths, " s"),
                        Numbers.whole(rows / spread.median()),
                        ofShape.size() == 1 ? ratio(byName) : ""));
            });
        });
        json.putObject("cost")
                .put("builtMicros", cost.first().median() / 1e3)
                .put("liveMicros", cost.second().median() / 1e3)
                .put("ratio", cost.ratio().median());
        String sentence = String.format(
                Locale.ROOT,
                "a row built later costs %s of one thread, applied live %s: ratio %s",
                Cost.micros(cost.first()),
                Cost.micros(cost.second()),
                cost.ratio().text(Numbers::hundredths, ""));
        return new Report(
                machine.heading(rows, rounds),
                List.of(Report.Part.table(HEADER, cells), Report.Part.notes(List.of(sentence))),
                json);
    }

    /** The first builder's median in terms of the second's; empty without a second. */
    private static String ratio(Map<String, RoundSpread> byName) {
        List<RoundSpread> both = List.copyOf(byName.values());
        return both.size() < 2
                ? ""
                : Numbers.hundredths(both.get(0).median() / both.get(1).median());
    }
}
