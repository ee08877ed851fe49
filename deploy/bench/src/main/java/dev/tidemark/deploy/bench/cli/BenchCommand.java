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

import dev.tidemark.deploy.bench.scenario.Scenario;
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
    private @Nullable CommandSpec spec;

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
    static CommandLine of(BenchTools tools, ReadinessProbe probe, Terminal terminal) {
        CommandLine bench = new CommandLine(new BenchCommand(terminal))
                .addSubcommand(new BenchVisibilityCommand(probe, tools.systems(), terminal))
                .addSubcommand(new BenchApplyCommand(probe, tools, terminal))
                .addSubcommand(new BenchIndexesCommand(probe, tools, terminal))
                .addSubcommand(new BenchBuildCommand(probe, tools.builders(), terminal))
                .addSubcommand(new BenchVerifyCommand(probe, tools.builders(), terminal))
                .addSubcommand(new BenchGrowthCommand(probe, tools, terminal));
        for (Scenario scenario : Scenario.values()) {
            bench.addSubcommand(BenchScenarioCommand.of(scenario, probe, tools.suites(), terminal));
        }
        return bench;
    }

    @Override
    public Integer call() {
        CommandLine command = spec == null ? new CommandLine(this) : spec.commandLine();
        List<String> common = new ArrayList<>(List.of("--data", data.toString()));
        if (report != null) {
            common.addAll(List.of("--report", report.toString()));
        }
        // From the root, because a command below it cannot be run by itself.
        CommandLine root = command;
        List<String> path = new ArrayList<>();
        for (CommandLine parent = command.getParent(); parent != null; parent = parent.getParent()) {
            path.add(0, root.getCommandName());
            root = parent;
        }
        int worst = 0;
        for (List<String> step : BenchSuite.steps(quick, common)) {
            terminal.complain("bench " + step.get(0));
            worst = Math.max(
                    worst,
                    root.execute(Stream.concat(path.stream(), step.stream()).toArray(String[]::new)));
        }
        return worst;
    }
}
