package dev.tidemark.deploy.bench;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.deploy.bench.IndexBuilder.IndexShape;

/** Building an index beside PostgreSQL: the same rows for every builder, and the same index from each in turn. */
public final class BuildBenchmark {
    private static final List<String> HEADER = List.of("projection", "system", "until it is ready", "rows/s", "ratio");

    private BuildBenchmark() {}

    /** The command and the measurement. */
    public static Benchmark benchmark() {
        return new Benchmark("build", """
                Measures how long it takes to build an index over a table that is there, beside CREATE INDEX \
                CONCURRENTLY.
                Starts a stack and a PostgreSQL of its own in a temporary directory; without PostgreSQL on this \
                machine it measures Tidemark alone.
                """, """

                Tidemark    from the request to create the index until it is ready, which is after it was verified
                PostgreSQL  from the start of the statement until it ends

                Example:
                  tidemark bench build --rows 100000 --rounds 3
                """, false, Arguments.ofTable(), BuildBenchmark::run);
    }

    private static Report run(Arguments arguments, Bench bench) throws Exception {
        int rows = arguments.number("--rows");
        int rounds = arguments.number("--rounds");
        try (BenchStack stack = BenchStack.start(bench)) {
            Map<String, IndexBuilder> builders = new LinkedHashMap<>();
            builders.put(Contender.TIDEMARK, stack.tidemark());
            PostgresServer.installed(stack)
                    .ifPresentOrElse(
                            postgres -> builders.put("PostgreSQL", postgres),
                            () -> bench.progress().accept("PostgreSQL is not installed: its rows are left out"));
            Map<IndexShape, Rounds> found = build(builders, rows, rounds, bench.progress());
            stack.endProcesses();
            bench.progress().accept("measuring what a row costs, with nothing else running");
            return report(bench.machine(), rows, rounds, found, Cost.measure(Cost.Work.COPY, stack, rounds));
        }
    }

    /** Loads the rows and builds, in the order of the builders. */
    static Map<IndexShape, Rounds> build(
            Map<String, IndexBuilder> builders, int rows, int rounds, Consumer<String> progress) throws Exception {
        for (Map.Entry<String, IndexBuilder> builder : builders.entrySet()) {
            builder.getValue().load(CustomerRow.table(rows));
            progress.accept(builder.getKey() + " has " + Numbers.whole(rows) + " rows");
        }
        Map<IndexShape, Rounds> found = new EnumMap<>(IndexShape.class);
        for (IndexShape shape : IndexShape.values()) {
            Map<String, Contender> contenders = new LinkedHashMap<>();
            builders.forEach((name, builder) -> contenders.put(name, () -> {
                double seconds = builder.build(shape).toNanos() / 1e9;
                builder.drop();
                return Map.of(Figure.BUILT, seconds);
            }));
            found.put(shape, Rounds.run(shape.projection(), 0, rounds, contenders, Figure::text, progress));
        }
        return found;
    }

    static Report report(Machine machine, int rows, int rounds, Map<IndexShape, Rounds> found, Cost cost) {
        List<List<String>> cells = new ArrayList<>();
        Report report = new Report("build", machine, machine.heading(rows, rounds));
        ObjectNode json = report.json().put("rows", rows).put("rounds", rounds);
        found.forEach((shape, byName) -> {
            ObjectNode ofShape = json.putObject(shape.projection());
            for (String name : byName.byName().keySet()) {
                RoundSpread spread = byName.spread(name, Figure.BUILT);
                ofShape.set(name, spread.json("Seconds"));
                cells.add(List.of(
                        shape.projection(),
                        name,
                        spread.text(Numbers::hundredths, " s"),
                        Numbers.whole(rows / spread.median()),
                        ofShape.size() == 1 ? ratio(byName) : ""));
            }
        });
        json.putObject("cost")
                .put("builtMicros", cost.first().median() / 1e3)
                .put("liveMicros", cost.second().median() / 1e3)
                .put("ratio", cost.ratio().median());
        report.table(HEADER, cells);
        report.sentence(String.format(
                Locale.ROOT,
                "a row built later costs %s of one thread, applied live %s: ratio %s",
                Cost.micros(cost.first()),
                Cost.micros(cost.second()),
                cost.ratio().text(Numbers::hundredths, "")));
        return report;
    }

    /** The first builder's median in terms of the second's; empty without a second. */
    private static String ratio(Rounds rounds) {
        List<Double> medians = rounds.byName().keySet().stream()
                .map(name -> rounds.spread(name, Figure.BUILT).median())
                .toList();
        return medians.size() < 2 ? "" : Numbers.hundredths(medians.get(0) / medians.get(1));
    }
}
