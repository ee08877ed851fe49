package dev.tidemark.deploy.bench.growth;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

import dev.tidemark.deploy.bench.Arguments;
import dev.tidemark.deploy.bench.Bench;
import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.BenchStack;
import dev.tidemark.deploy.bench.Benchmark;
import dev.tidemark.deploy.bench.Machine;
import dev.tidemark.deploy.bench.Report;
import dev.tidemark.deploy.bench.Setting;
import dev.tidemark.deploy.bench.TidemarkTable;
import dev.tidemark.deploy.bench.wrk.WrkTool;
import dev.tidemark.deploy.stack.StackException;

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
                        Setting.quick("20,000 and 100,000 rows, one round."),
                        Setting.numbers("--rows", "1000000,20000000", "Sizes of the table, growing"),
                        Setting.number("--changes", "500000", "Changes to catch up with, each round"),
                        Setting.number("--rounds", "5", "How often each is measured"),
                        Setting.time("--time", "10s", "How long to ask, each round"),
                        Setting.time("--soak", "0s", "Go on for so long, and watch the memory")),
                arguments -> prepare(arguments, searchPath));
    }

    private static Benchmark.Measurement prepare(Arguments arguments, String searchPath) {
        GrowthSize size = arguments.quick()
                ? GrowthSize.QUICK
                : new GrowthSize(
                        arguments.numbers("--rows"),
                        arguments.number("--changes", 0),
                        arguments.number("--rounds", 0),
                        arguments.time("--time", Duration.ZERO),
                        arguments.time("--soak", Duration.ZERO));
        return bench -> run(size, searchPath, bench);
    }

    private static Report run(GrowthSize size, String searchPath, Bench bench)
            throws BenchException, StackException, IOException, InterruptedException {
        Machine machine = Machine.here(bench.clock());
        WrkTool wrk = WrkTool.on(searchPath).orElseThrow(() -> new BenchException(WrkTool.REMEDY));
        try (BenchStack stack = BenchStack.start(bench);
                TidemarkTable table = stack.table()) {
            GrowingStack growing = new LocalGrowingStack(stack, table, wrk);
            return new GrowthRun(size, growing, machine, bench.clock(), bench.progress())
                    .run()
                    .report();
        }
    }
}
