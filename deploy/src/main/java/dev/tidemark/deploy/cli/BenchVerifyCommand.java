package dev.tidemark.deploy.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.build.Builders;
import dev.tidemark.deploy.bench.verify.VerifyReport;
import dev.tidemark.deploy.bench.verify.VerifyRun;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.stack.ReadinessProbe;
import dev.tidemark.deploy.stack.StackException;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.runtime.SteadyClock;

/** How fast a table is compared with its index. */
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        description = {
            "Measures how many rows a second a comparison of a table with its index looks at, quick and full.",
            "Starts a stack of its own in a temporary directory."
        },
        footer = {
            "",
            "quick  by the digests that are kept, every entry, and one row in a hundred; with the wait for a mark of the"
                    + " writer",
            "full   row by row",
            "",
            "Example:",
            "  tidemark bench verify --rows 100000 --rounds 3"
        })
final class BenchVerifyCommand implements Callable<Integer> {
    private final ReadinessProbe probe;
    private final Builders builders;
    private final Terminal terminal;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--rows",
            paramLabel = "N",
            defaultValue = "1000000",
            description = "Rows of the table (default: ${DEFAULT-VALUE}).")
    private int rows = 1_000_000;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            description = "How often each mode is measured (default: ${DEFAULT-VALUE}).")
    private int rounds = 5;

    @Option(names = "--data", paramLabel = "DIR", description = "Work in a temporary directory below this one.")
    private Path data = Path.of(System.getProperty("java.io.tmpdir"));

    @Option(names = "--json", description = "Print JSON, for programs.")
    private boolean json;

    BenchVerifyCommand(ReadinessProbe probe, Builders builders, Terminal terminal) {
        this.probe = probe;
        this.builders = builders;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws ServiceException, StackException, IOException, InterruptedException {
        if (rows < 1 || rounds < 1) {
            throw new CommandLine.ParameterException(
                    spec == null ? new CommandLine(this) : spec.commandLine(),
                    "expected --rows and --rounds of at least 1, but got " + rows + " and " + rounds);
        }
        try {
            VerifyReport report = new VerifyRun(probe, builders::verifier, new SteadyClock(), terminal::complain)
                    .run(rows, rounds, data);
            if (json) {
                terminal.line(report.json().toString());
            } else {
                terminal.lines(report.lines());
            }
        } catch (BenchException e) {
            throw new ServiceException(String.valueOf(e.getMessage()));
        }
        return 0;
    }
}
