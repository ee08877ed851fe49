package dev.tidemark.deploy.bench.cli;

import java.io.IOException;
import java.util.concurrent.Callable;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.apply.ApplyReport;
import dev.tidemark.deploy.bench.apply.ApplyRun;
import dev.tidemark.deploy.cli.ExitCode;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.stack.ReadinessProbe;
import dev.tidemark.deploy.stack.StackException;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.runtime.SteadyClock;

/** Following a full topic, beside Kafka Streams, a plain loop and RocksDB alone. */
@Command(
        name = "apply",
        mixinStandardHelpOptions = true,
        description = {
            "Measures how fast an index follows a topic that is full, from nothing to caught up.",
            "Everybody makes the same index from the same topic, in turn, each in a process of its own: an index on town and last"
                    + " name that carries the whole row."
        },
        footer = {
            "",
            "A rate counts from the first change to the last; the start of the process is not in it.",
            "",
            "Example:",
            "  tidemark bench apply --quick"
        })
final class BenchApplyCommand implements Callable<Integer> {
    private static final int QUICK_CHANGES = 200_000;
    private static final int QUICK_ROUNDS = 2;

    private final ReadinessProbe probe;
    private final BenchTools tools;
    private final Terminal terminal;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--quick", description = "200,000 changes, two rounds; ratios are less certain.")
    private boolean quick;

    @Option(
            names = "--changes",
            paramLabel = "N",
            defaultValue = "1000000",
            description = "Changes in the topic, over 200,000 rows (default: ${DEFAULT-VALUE}).")
    private int changes = 1_000_000;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            description = "How often each follows (default: ${DEFAULT-VALUE}).")
    private int rounds = 5;

    @Mixin
    private BenchOutput output = new BenchOutput();

    BenchApplyCommand(ReadinessProbe probe, BenchTools tools, Terminal terminal) {
        this.probe = probe;
        this.tools = tools;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws ServiceException, StackException, IOException, InterruptedException {
        if (spec != null && (changes < 1 || rounds < 1)) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(),
                    "expected --changes and --rounds of at least 1, but got " + changes + " and " + rounds);
        }
        ApplyRun run = new ApplyRun(
                probe, tools.systems(), tools.builders(), tools.baselines(), new SteadyClock(), terminal::complain);
        try {
            ApplyReport report = run.run(quick ? QUICK_CHANGES : changes, quick ? QUICK_ROUNDS : rounds, output.data());
            output.show("apply", report.markdown(), report.json(), report::lines, terminal);
        } catch (BenchException e) {
            throw new ServiceException(String.valueOf(e.getMessage()));
        }
        return ExitCode.DONE;
    }
}
