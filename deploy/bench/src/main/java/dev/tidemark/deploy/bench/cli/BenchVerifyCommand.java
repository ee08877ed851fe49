package dev.tidemark.deploy.bench.cli;

import java.io.IOException;
import java.util.concurrent.Callable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.build.Builders;
import dev.tidemark.deploy.bench.verify.VerifyBenchReport;
import dev.tidemark.deploy.bench.verify.VerifyRun;
import dev.tidemark.deploy.cli.ExitCode;
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

    @Mixin
    private BenchSize size = new BenchSize();

    BenchVerifyCommand(ReadinessProbe probe, Builders builders, Terminal terminal) {
        this.probe = probe;
        this.builders = builders;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws ServiceException, StackException, IOException, InterruptedException {
        size.check();
        try {
            VerifyBenchReport report = new VerifyRun(probe, builders::verifier, new SteadyClock(), terminal::complain)
                    .run(size.rows(), size.rounds(), size.data());
            size.show("verify", report.lines(), report.json(), terminal);
        } catch (BenchException e) {
            throw new ServiceException(String.valueOf(e.getMessage()));
        }
        return ExitCode.DONE;
    }
}
