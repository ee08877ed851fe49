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
        return new Benchmark("verify", """
                Measures how many rows a second a comparison of a table with its index looks at, quick and full.
                Starts a stack of its own in a temporary directory.
                """, """

                quick  by the digests that are kept, every entry, and one row in a hundred; with the wait
                       for a mark of the writer
                full   row by row

                Example:
                  tidemark bench verify --rows 100000 --rounds 3
                """, false, Arguments.ofTable(), VerifyBenchmark::run);
    }

    private static Report run(Arguments arguments, Bench bench) throws Exception {
        int rows = arguments.number("--rows");
        int rounds = arguments.number("--rounds");
        try (BenchStack stack = BenchStack.start(bench)) {
            TidemarkTarget table = stack.tidemark();
            table.load(CustomerRow.table(rows));
            bench.progress().accept(Numbers.whole(rows) + " rows are in the index");
            Map<String, Contender> modes = new LinkedHashMap<>();
            for (TidemarkTarget.Mode mode : TidemarkTarget.Mode.values()) {
                modes.put(mode.name().toLowerCase(Locale.ROOT), () -> {
                    TidemarkTarget.Compared done = table.verify(mode);
                    return Map.of(new Figure(done.basis(), "by " + done.basis(), "rows/s"), done.perSecond());
                });
            }
            return report(
                    bench.machine(),
                    rows,
                    rounds,
                    Rounds.run("verify", 0, rounds, modes, Figure::text, bench.progress()));
        }
    }

    /** A row for each mode and each basis that it had. */
    private static Report report(Machine machine, int rows, int rounds, Rounds found) {
        Map<String, List<Double>> rates = new LinkedHashMap<>();
        found.byName()
                .forEach((mode, all) -> all.forEach(round -> round.forEach(
                        (basis, rate) -> rates.computeIfAbsent(mode + ", " + basis.label(), kind -> new ArrayList<>())
                                .add(rate))));
        Report report = new Report("verify", machine, machine.heading(rows, rounds));
        ObjectNode kinds = report.json().put("rows", rows).put("rounds", rounds).putObject("rowsPerSecond");
        List<List<String>> cells = new ArrayList<>();
        rates.forEach((kind, rounded) -> {
            RoundSpread spread = RoundSpread.of(rounded);
            kinds.set(kind, spread.json(""));
            cells.add(List.of(kind, spread.text(Numbers::whole, "")));
        });
        report.table(List.of("verification", "rows/s"), cells);
        return report;
    }
}
