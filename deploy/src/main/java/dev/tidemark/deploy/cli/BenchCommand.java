package dev.tidemark.deploy.cli;

import java.util.concurrent.Callable;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

import dev.tidemark.deploy.bench.race.Course;
import dev.tidemark.deploy.stack.ReadinessProbe;
import dev.tidemark.deploy.text.Terminal;

/** The benchmarks; each is a command below this one. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "BENCHMARK",
        description = {
            "Measures Tidemark beside what people would use instead.",
            "Both run on this machine, on one broker, with the same data, in turn; the result is a ratio of medians."
        },
        footer = {"", "Example:", "  tidemark bench visibility --quick"})
final class BenchCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    /** The command with all benchmarks below it. */
    static CommandLine of(Tidemark.Benches benches, ReadinessProbe probe, Terminal terminal) {
        CommandLine bench = new CommandLine(new BenchCommand())
                .addSubcommand(new BenchVisibilityCommand(probe, benches.contestants(), terminal))
                .addSubcommand(new BenchApplyCommand(probe, benches, terminal))
                .addSubcommand(new BenchBuildCommand(probe, benches.builders(), terminal))
                .addSubcommand(new BenchVerifyCommand(probe, benches.builders(), terminal));
        for (Course course : Course.values()) {
            bench.addSubcommand(BenchRaceCommand.of(course, probe, benches.races(), terminal));
        }
        return bench;
    }

    @Override
    public Integer call() {
        CommandLine command = spec == null ? new CommandLine(this) : spec.commandLine();
        throw new CommandLine.ParameterException(command, "expected the name of a benchmark");
    }
}
