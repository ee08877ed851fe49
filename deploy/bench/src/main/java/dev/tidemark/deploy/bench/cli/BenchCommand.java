package dev.tidemark.deploy.bench.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import dev.tidemark.deploy.bench.BenchSystems;
import dev.tidemark.deploy.bench.Benchmark;
import dev.tidemark.deploy.stack.ReadinessProbe;
import dev.tidemark.deploy.text.Terminal;

/** The benchmarks; each is a command below this one. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "[BENCHMARK]",
        description = {
            "Measures Tidemark beside what people would use instead.",
            "Both run on this machine, on one broker, with the same data, in turn; the result is a ratio of medians.",
            "Without the name of a benchmark it runs all of them, one after the other, and goes on when one fails."
                    + " What is not installed is left out, which is said."
        },
        footer = {
            "",
            "Examples:",
            "  tidemark bench --quick",
            "  tidemark bench --report docs/benchmarks.md",
            "  tidemark bench visibility --quick"
        })
final class BenchCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--quick", description = "All small, one round each; ratios say little.")
    private boolean quick;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Work in temporary directories below this one; its disk is the one that is synced.")
    private Path data = Path.of(System.getProperty("java.io.tmpdir"));

    @Option(names = "--report", paramLabel = "FILE", description = "Write the reports into this Markdown file as well.")
    private @Nullable Path report;

    private BenchCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /** The command with all benchmarks below it. */
    static CommandLine of(List<Benchmark> benchmarks, BenchSystems systems, ReadinessProbe probe, Terminal terminal) {
        CommandLine bench = new CommandLine(new BenchCommand(terminal));
        for (Benchmark benchmark : benchmarks) {
            bench.addSubcommand(BenchmarkCommand.of(benchmark, systems, probe, terminal));
        }
        return bench;
    }

    @Override
    public Integer call() {
        List<String> common = new ArrayList<>(List.of("--data", data.toString()));
        if (report != null) {
            common.addAll(List.of("--report", report.toString()));
        }
        // From the root, because a command below it cannot be run by itself.
        CommandLine root = spec.root().commandLine();
        List<String> path = List.of(spec.qualifiedName().split(" ", -1));
        int worst = 0;
        for (List<String> step : BenchSuite.steps(quick, common)) {
            terminal.complain("bench " + step.get(0));
            worst = Math.max(
                    worst,
                    root.execute(
                            Stream.concat(path.stream().skip(1), step.stream()).toArray(String[]::new)));
        }
        return worst;
    }
}
