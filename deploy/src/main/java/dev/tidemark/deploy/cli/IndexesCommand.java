package dev.tidemark.deploy.cli;

import java.util.concurrent.Callable;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import dev.tidemark.deploy.client.IndexLife;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.client.Services;
import dev.tidemark.deploy.text.IndexTable;
import dev.tidemark.deploy.text.Terminal;

/** The indexes and where each is in its life. */
@Command(
        name = "indexes",
        mixinStandardHelpOptions = true,
        description = "Shows every index: its generation, where it is in its life, since when and why.",
        footer = {
            "",
            "building    the rows from before it was defined are being copied",
            "verifying   complete, and being proven equal to its table",
            "ready       proven, and kept so since",
            "paused      building rests, until it is resumed",
            "degraded    rows are refused or were found to differ; the cause says which",
            "rebuilding  its shards are read from the beginning of the change topic",
            "",
            "Examples:",
            "  tidemark indexes",
            "  tidemark indexes --json"
        })
final class IndexesCommand implements Callable<Integer> {
    private final Services services;
    private final Terminal terminal;

    @Mixin
    private ClientOptions options = new ClientOptions();

    @Option(names = "--json", description = "Print the answer as JSON, for programs.")
    private boolean json;

    IndexesCommand(Services services, Terminal terminal) {
        this.services = services;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws ServiceException, InterruptedException {
        JsonNode answer = services.indexes(options.worker).list();
        if (json) {
            terminal.line(answer.toString());
        } else {
            terminal.lines(IndexTable.render(IndexLife.listFromJson(answer), terminal));
        }
        return 0;
    }
}
