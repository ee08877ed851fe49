package dev.tidemark.deploy.bench.cli;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.growth.GrowthBench;
import dev.tidemark.deploy.bench.growth.GrowthReport;
import dev.tidemark.deploy.bench.growth.GrowthSize;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.stack.ReadinessProbe;
import dev.tidemark.deploy.stack.StackException;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.runtime.SteadyClock;
import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.settings.Durations;

/** Measures a worker as its table grows. */
@Command(
        name = "growth",
        mixinStandardHelpOptions = true,
        description = {
            "Measures how a worker follows and answers, and how much memory it has, as its table grows.",
            "At each size the worker is ended, gets changes that it has not seen, catches up with them, and is asked by wrk."
        },
        footer = {
            "",
            "The whole suite goes up to 2,000,000 rows only: to write 20,000,000 takes most of the time.",
            "",
            "Examples:",
            "  tidemark bench growth --quick",
            "  tidemark bench growth --soak 30m"
        })
final class BenchGrowthCommand implements Callable<Integer> {
    private final ReadinessProbe probe;
    private final BenchTools tools;
    private final Terminal terminal;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--quick", description = "20,000 and 100,000 rows, one round.")
    private boolean quick;

    @Option(
            names = "--rows",
            paramLabel = "N",
            split = ",",
            defaultValue = "1000000,20000000",
            description = "Sizes of the table, growing (default: ${DEFAULT-VALUE}).")
    private List<Integer> rows = List.of();

    @Option(
            names = "--changes",
            paramLabel = "N",
            defaultValue = "500000",
            description = "Changes to catch up with, each round (default: ${DEFAULT-VALUE}).")
    private int changes = 500_000;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            description = "How often each is measured (default: ${DEFAULT-VALUE}).")
    private int rounds = 5;

    @Option(
            names = "--time",
            paramLabel = "TIME",
            defaultValue = "10s",
            description = "How long to ask, each round (default: ${DEFAULT-VALUE}).")
    private String time = "10s";

    @Option(
            names = "--soak",
            paramLabel = "TIME",
            defaultValue = "0s",
            description = "Go on for so long, and watch the memory (default: ${DEFAULT-VALUE}).")
    private String soak = "0s";

    @Mixin
    private BenchOutput output = new BenchOutput();

    BenchGrowthCommand(ReadinessProbe probe, BenchTools tools, Terminal terminal) {
        this.probe = probe;
        this.tools = tools;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws ServiceException, StackException, IOException, InterruptedException {
        GrowthSize size = size();
        GrowthBench bench = new GrowthBench(
                probe, tools.systems(), tools.builders(), tools.searchPath(), new SteadyClock(), terminal::complain);
        GrowthReport report;
        try {
            report = bench.run(size, output.data());
        } catch (BenchException e) {
            throw new ServiceException(String.valueOf(e.getMessage()));
        }
        output.show("growth", report.markdown(), report.json(), () -> GrowthText.render(report, terminal), terminal);
        return 0;
    }

    private GrowthSize size() {
        if (quick) {
            return GrowthSize.QUICK;
        }
        try {
            return new GrowthSize(rows, changes, rounds, Durations.parse(time), Durations.parse(soak));
        } catch (BadSettingsException | IllegalArgumentException e) {
            throw new CommandLine.ParameterException(
                    spec == null ? new CommandLine(this) : spec.commandLine(), String.valueOf(e.getMessage()));
        }
    }
}
