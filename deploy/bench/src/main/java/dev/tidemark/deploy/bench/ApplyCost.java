package dev.tidemark.deploy.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import dev.tidemark.deploy.stack.Installation;

/**
 * What it costs to time every change: nanoseconds of processor time that the applying thread takes for one change.
 *
 * @param attached with the worker's listeners, which time and count
 * @param detached without
 * @param share how much more it was with them in the same round; negative when less, by chance
 */
public record ApplyCost(RoundSpread attached, RoundSpread detached, RoundSpread share) {
    private static final int CHANGES = 100_000;

    /** What a shard gets of a request with 50 rows, when there are 4 shards: these share their times. */
    private static final int ALIKE = 12;

    /** Measures in a separate process that has the worker's settings. */
    static ApplyCost measure(Installation installation, Path catalog, Path directory, int rounds)
            throws BenchException, IOException, InterruptedException {
        List<CostProcess.Pair> found = CostProcess.run(
                installation,
                ApplyCostMain.class,
                directory,
                List.of(
                        catalog.toString(),
                        directory.toString(),
                        Integer.toString(rounds),
                        Integer.toString(CHANGES),
                        Integer.toString(ALIKE)));
        return new ApplyCost(
                RoundSpread.of(found.stream().map(CostProcess.Pair::first).toList()),
                RoundSpread.of(found.stream().map(CostProcess.Pair::second).toList()),
                RoundSpread.of(found.stream().map(round -> round.ratio() - 1).toList()));
    }
}
