package dev.tidemark.deploy.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

import dev.tidemark.deploy.stack.Installation;

/**
 * What it costs to build an index over rows that are there: nanoseconds of processor time for a row, in one thread.
 *
 * @param built with the index built later
 * @param live with the index there from the beginning, the row applied
 * @param ratio of both in the same round
 */
public record CopyCost(RoundSpread built, RoundSpread live, RoundSpread ratio) {
    private static final int ROWS = 100_000;

    /** Measures in a separate process. */
    public static CopyCost measure(Installation installation, Path catalog, Path directory, int rounds)
            throws BenchException, IOException, InterruptedException {
        List<CostProcess.Pair> found = CostProcess.run(
                installation,
                CopyCostMain.class,
                directory,
                List.of(catalog.toString(), directory.toString(), Integer.toString(rounds), Integer.toString(ROWS)));
        return new CopyCost(
                RoundSpread.of(found.stream().map(CostProcess.Pair::first).toList()),
                RoundSpread.of(found.stream().map(CostProcess.Pair::second).toList()),
                RoundSpread.of(found.stream().map(CostProcess.Pair::ratio).toList()));
    }

    /** For people. */
    public String line() {
        return String.format(
                Locale.ROOT,
                "a row built later costs %.2f µs of one thread, applied live %.2f µs: ratio %.2f (%.2f to %.2f)",
                built.median() / 1e3,
                live.median() / 1e3,
                ratio.median(),
                ratio.min(),
                ratio.max());
    }
}
