package dev.tidemark.deploy.cli;

import java.util.concurrent.Callable;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

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

    @Override
    public Integer call() {
        CommandLine command = spec == null ? new CommandLine(this) : spec.commandLine();
        throw new CommandLine.ParameterException(command, "expected the name of a benchmark");
    }
}
