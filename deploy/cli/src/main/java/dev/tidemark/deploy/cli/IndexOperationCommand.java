package dev.tidemark.deploy.cli;

import java.util.concurrent.Callable;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.client.Services;
import dev.tidemark.deploy.text.Terminal;

/** One order about one index. */
@Command(mixinStandardHelpOptions = true)
final class IndexOperationCommand implements Callable<Integer> {
    private final String order;
    private final Services services;
    private final Terminal terminal;

    @Mixin
    private ClientOptions options = new ClientOptions();

    @Parameters(index = "0", paramLabel = "INDEX", description = "Name of the index, or table.index.")
    private String index = "";

    IndexOperationCommand(String order, Services services, Terminal terminal) {
        this.order = order;
        this.services = services;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws ServiceException, InterruptedException {
        JsonNode answer = options.of(services).worker(options.worker).order(order, index);
        terminal.line(index + ": " + order + " is in force with version "
                + answer.path("version").asLong() + " of the definitions");
        return ExitCode.DONE;
    }
}
