package dev.tidemark.deploy.cli;

import java.util.concurrent.Callable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.client.Services;
import dev.tidemark.deploy.text.Terminal;

/** Stops the indexes of a table. */
@Command(
        name = "pause",
        mixinStandardHelpOptions = true,
        description = "Stops the indexes of a table from following it, until they are resumed.",
        footer = {
            "",
            "Answers go on, say how old they are, and have the state paused. A worker that is started",
            "again follows all tables.",
            "",
            "Example:",
            "  tidemark pause customers"
        })
final class PauseCommand implements Callable<Integer> {
    private final Services services;
    private final Terminal terminal;

    @Mixin
    private ClientOptions options = new ClientOptions();

    @Parameters(index = "0", paramLabel = "TABLE", description = "Name of the table.")
    private String table = "";

    PauseCommand(Services services, Terminal terminal) {
        this.services = services;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws ServiceException, InterruptedException {
        options.of(services).worker(options.worker).pause(table);
        terminal.line(table + ": its indexes no longer follow; answers go on and grow older");
        return ExitCode.DONE;
    }
}
