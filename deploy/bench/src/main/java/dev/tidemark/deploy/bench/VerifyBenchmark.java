package dev.tidemark.deploy.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** How fast a table is compared with its index; each round has both modes once. */
public final class VerifyBenchmark {
    private VerifyBenchmark() {}

    /** The command and the measurement. */
    public static Benchmark benchmark() {
        return new Benchmark(
                "verify", """
                Measures how many rows a second a comparison of a table with its index looks at, quick and full.
                Starts a stack of its own in a temporary directory.
                """, """

                quick  by the digests that are kept, every entry, and one row in a hundred; with the wait
                       for a mark of the writer
                full   row by row

                Example:
                  tidemark bench verify --rows 100000 --rounds 3
                """, false, Arguments.ofTable(), arguments -> arguments.overTable(VerifyBenchmark::run));
    }

    private static Report run(int rows, int rounds, Bench bench) throws Exception {
        Machine machine = Machine.here(bench.clock());
        try (BenchStack stack = BenchStack.start(bench)) {
            TidemarkTarget table = stack.tidemark();
            table.load(CustomerRow.table(rows));
            bench.progress().accept(Numbers.whole(rows) + " rows are in the index");
            List<Contender<TidemarkTarget.Compared>> modes = new ArrayList<>();
            for (TidemarkTarget.Mode mode : TidemarkTarget.Mode.values()) {
                modes.add(new Contender<>(mode.name().toLowerCase(Locale.ROOT), () -> table.verify(mode)));
            }
            Map<String, List<Double>> rates = new LinkedHashMap<>();
            new Rounds("verify", 0, rounds, Rounds.Order.FIXED, bench.progress())
                    .run(modes, done -> Numbers.whole(done.perSecond()) + " rows/s")
                    .forEach((mode, all) -> all.forEach(
                            done -> rates.computeIfAbsent(mode + ", by " + done.basis(), kind -> new ArrayList<>())
                                    .add(done.perSecond())));
            return report(machine, rows, rounds, rates);
        }
    }

    private static Report report(Machine machine, int rows, int rounds, Map<String, List<Double>> rates) {
        List<List<String>> cells = new ArrayList<>();
        ObjectNode json = Report.members("verify", machine).put("rows", rows).put("rounds", rounds);
        ObjectNode kinds = json.putObject("rowsPerSecond");
        rates.forEach((kind, rounded) -> {
            RoundSpread spread = RoundSpread.of(rounded);
            kinds.set(kind, spread.json(""));
            cells.add(List.of(kind, spread.text(Numbers::whole, "")));
        });
        return new Report(
                machine.heading(rows, rounds),
                List.of(Report.Part.table(List.of("verification", "rows/s"), cells)),
                json);
    }
}
