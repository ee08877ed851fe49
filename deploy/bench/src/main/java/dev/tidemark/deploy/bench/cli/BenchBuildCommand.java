package dev.tidemark.deploy.bench.cli;

import java.io.IOException;
import java.util.concurrent.Callable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.build.BuildReport;
import dev.tidemark.deploy.bench.build.BuildRun;
import dev.tidemark.deploy.bench.build.Builders;
import dev.tidemark.deploy.cli.ExitCode;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.stack.ReadinessProbe;
import dev.tidemark.deploy.stack.StackException;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.runtime.SteadyClock;

/** Building an index beside PostgreSQL. */
@Command(
        name = "build",
        mixinStandardHelpOptions = true,
        description = {
            "Measures how long it takes to build an index over a table that is there, beside CREATE INDEX CONCURRENTLY.",
            "Starts a stack and a PostgreSQL of its own in a temporary directory; without PostgreSQL on this machine it"
                    + " measures Tidemark alone."
        },
        footer = {
            "",
            "Tidemark    from the request to create the index until it is ready, which is after it was verified",
            "PostgreSQL  from the start of the statement until it ends",
            "",
            "Example:",
            "  tidemark bench build --rows 100000 --rounds 3"
        })
final class BenchBuildCommand implements Callable<Integer> {
    private final ReadinessProbe probe;
    private final Builders builders;
    private final Terminal terminal;

    @Mixin
    private BenchSize size = new BenchSize();

    BenchBuildCommand(ReadinessProbe probe, Builders builders, Terminal terminal) {
        this.probe = probe;
        this.builders = builders;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws ServiceException, StackException, IOException, InterruptedException {
        size.check();
        try {
            BuildReport report = new BuildRun(probe, builders, new SteadyClock(), terminal::complain)
                    .run(size.rows(), size.rounds(), size.data());
            size.show("build", report.lines(), report.json(), terminal);
        } catch (BenchException e) {
            throw new ServiceException(String.valueOf(e.getMessage()));
        }
        return ExitCode.DONE;
    }
}
