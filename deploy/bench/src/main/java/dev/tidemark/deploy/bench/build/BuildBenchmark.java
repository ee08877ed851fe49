package dev.tidemark.deploy.bench.build;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.deploy.bench.Bench;
import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.BenchStack;
import dev.tidemark.deploy.bench.Benchmark;
import dev.tidemark.deploy.bench.Contender;
import dev.tidemark.deploy.bench.Cost;
import dev.tidemark.deploy.bench.CustomerRow;
import dev.tidemark.deploy.bench.IndexBuilder;
import dev.tidemark.deploy.bench.IndexShape;
import dev.tidemark.deploy.bench.Machine;
import dev.tidemark.deploy.bench.Numbers;
import dev.tidemark.deploy.bench.Report;
import dev.tidemark.deploy.bench.RoundSpread;
import dev.tidemark.deploy.bench.Rounds;
import dev.tidemark.deploy.bench.Setting;
import dev.tidemark.deploy.stack.StackException;

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
                """, false, Setting.OF_TABLE, arguments -> arguments.overTable(BuildBenchmark::run));
    }

    private static Report run(int rows, int rounds, Bench bench)
            throws BenchException, StackException, IOException, InterruptedException {
        Machine machine = Machine.here(bench.clock());
        try (BenchStack stack = BenchStack.start(bench)) {
            Map<IndexShape, Map<String, RoundSpread>> seconds = build(stack, rows, rounds, bench);
            stack.services().close();
            bench.progress().accept("measuring what a row costs, with nothing else running");
            return report(machine, rows, rounds, seconds, Cost.measure(Cost.Work.COPY, stack, rounds));
        }
    }

    private static Map<IndexShape, Map<String, RoundSpread>> build(BenchStack stack, int rows, int rounds, Bench bench)
            throws BenchException, IOException, InterruptedException {
        List<IndexBuilder> builders = new ArrayList<>(List.of(stack.table()));
        try {
            bench.systems()
                    .postgres(stack.directory(), bench.clock())
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
    static Map<IndexShape, Map<String, RoundSpread>> build(
            List<IndexBuilder> builders, int rows, int rounds, Consumer<String> progress)
            throws BenchException, IOException, InterruptedException {
        for (IndexBuilder builder : builders) {
            builder.load(CustomerRow.table(rows));
            progress.accept(builder.name() + " has " + Numbers.whole(rows) + " rows");
        }
        Map<IndexShape, Map<String, RoundSpread>> found = new EnumMap<>(IndexShape.class);
        for (IndexShape shape : IndexShape.values()) {
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
            Machine machine, int rows, int rounds, Map<IndexShape, Map<String, RoundSpread>> seconds, Cost cost) {
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
                List.of(new Report.Table("", HEADER, cells), new Report.Notes(List.of(sentence))),
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
