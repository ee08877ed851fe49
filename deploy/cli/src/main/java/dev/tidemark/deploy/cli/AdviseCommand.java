package dev.tidemark.deploy.cli;

import java.util.concurrent.Callable;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.client.Services;
import dev.tidemark.deploy.text.AdviceLines;
import dev.tidemark.deploy.text.Terminal;

/** What would make the indexes better. */
@Command(
        name = "advise",
        mixinStandardHelpOptions = true,
        description = "Says which indexes cost more than they give, and what to do about each.",
        footer = {
            "",
            "It looks at the values of each index, and at the questions that came while the worker ran; counting",
            "begins again when the worker starts. What is saved is an estimate.",
            "",
            "values     different values of the first part of the key; with a plus, at least so many",
            "heaviest   the part of the entries that the most frequent of them has",
            "fetched    questions that fetched the rows from the writer",
            "",
            "Examples:",
            "  tidemark advise",
            "  tidemark advise --json"
        })
final class AdviseCommand implements Callable<Integer> {
    private final Services services;
    private final Terminal terminal;

    @Mixin
    private ClientOptions options = new ClientOptions();

    @Option(names = "--json", description = "Print JSON, for programs.")
    private boolean json;

    AdviseCommand(Services services, Terminal terminal) {
        this.services = services;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws ServiceException, InterruptedException {
        JsonNode advice = options.of(services).worker(options.worker).advice();
        if (json) {
            terminal.line(advice.toString());
        } else {
            terminal.lines(AdviceLines.render(advice, terminal));
        }
        return ExitCode.DONE;
    }
}
