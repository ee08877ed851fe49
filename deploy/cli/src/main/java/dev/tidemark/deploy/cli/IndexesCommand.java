package dev.tidemark.deploy.cli;

import java.util.Optional;
import java.util.concurrent.Callable;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import dev.tidemark.api.IndexLifecycle;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.client.Services;
import dev.tidemark.deploy.client.WorkerApi;
import dev.tidemark.deploy.text.ForecastVsActualLines;
import dev.tidemark.deploy.text.IndexTable;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.row.RowJson;

/** The indexes and where each is in its life. */
@Command(
        name = "indexes",
        mixinStandardHelpOptions = true,
        description = {
            "Shows every index: its generation, where it is in its life, since when and why.",
            "With a name, that index: its forecast beside the outcome, and the rows it refuses."
        },
        footer = {
            "",
            "building    the rows from before it was defined are being copied",
            "verifying   complete, and being proven equal to its table",
            "ready       proven, and kept so since",
            "paused      building rests, until it is resumed",
            "degraded    rows are refused or were found to differ; the cause says which",
            "rebuilding  its shards are read from the beginning of the change topic",
            "",
            "before      the generation before a change: it answers until the new one is ready, and is then kept",
            "            for a rollback until the time that is shown",
            "",
            "Examples:",
            "  tidemark indexes",
            "  tidemark indexes by_town",
            "  tidemark indexes --json"
        })
final class IndexesCommand implements Callable<Integer> {
    private final Services services;
    private final Terminal terminal;

    @Mixin
    private ClientOptions options = new ClientOptions();

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "INDEX",
            description = "One index, or table.index; all when left out.")
    private Optional<String> index = Optional.empty();

    @Option(names = "--json", description = "Print the answer as JSON, for programs.")
    private boolean json;

    IndexesCommand(Services services, Terminal terminal) {
        this.services = services;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws ServiceException, InterruptedException {
        WorkerApi indexes = options.of(services).worker(options.worker);
        JsonNode answer = index.isPresent() ? indexes.show(index.get()) : indexes.list();
        if (json) {
            terminal.line(answer.toString());
        } else if (index.isPresent()) {
            terminal.lines(ForecastVsActualLines.render(answer, terminal));
        } else {
            terminal.lines(IndexTable.render(
                    RowJson.as(IndexLifecycle.All.class, answer).indexes(), terminal));
        }
        return ExitCode.DONE;
    }
}
