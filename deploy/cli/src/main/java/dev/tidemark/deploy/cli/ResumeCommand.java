package dev.tidemark.deploy.cli;

import java.util.concurrent.Callable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.client.Services;
import dev.tidemark.deploy.text.Terminal;

/** Lets the indexes of a table go on. */
@Command(
        name = "resume",
        mixinStandardHelpOptions = true,
        description = "Lets the indexes of a table go on where they were paused.",
        footer = {"", "Example:", "  tidemark resume customers"})
final class ResumeCommand implements Callable<Integer> {
    private final Services services;
    private final Terminal terminal;

    @Mixin
    private ClientOptions options = new ClientOptions();

    @Parameters(index = "0", paramLabel = "TABLE", description = "Name of the table.")
    private String table = "";

    ResumeCommand(Services services, Terminal terminal) {
        this.services = services;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws ServiceException, InterruptedException {
        options.of(services).worker(options.worker).resume(table);
        terminal.line(table + ": its indexes follow again");
        return ExitCode.DONE;
    }
}
