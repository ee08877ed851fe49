package dev.tidemark.deploy.cli;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import dev.tidemark.api.LagReport;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.client.Services;
import dev.tidemark.deploy.client.WorkerApi;
import dev.tidemark.deploy.text.LagTable;
import dev.tidemark.deploy.text.Redraw;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.deploy.text.Tint;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.BoundedWait;

/** The lag summary, once or again and again. */
@Command(
        name = "lag",
        mixinStandardHelpOptions = true,
        description = "Shows how far each index is behind the fact table.",
        footer = {
            "",
            "freshness  upper bound on how old an answer can be; the headline number",
            "behind     changes published and not yet applied",
            "oldest     age of the oldest of them",
            "in/s       records published a second to its table, heartbeats included",
            "out/s      records applied a second",
            "eta        time until it has caught up at these rates; never when it does not gain",
            "visible    time from commit to queryable, median and 99th percentile",
            "",
            "Examples:",
            "  tidemark lag",
            "  tidemark lag --watch",
            "  tidemark lag --json"
        })
final class LagCommand implements Callable<Integer> {
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final Services services;
    private final Terminal terminal;

    @Mixin
    private ClientOptions options = new ClientOptions();

    @Option(names = "--watch", description = "Draw it again twice a second, until Ctrl-C.")
    private boolean watch;

    @Option(names = "--json", description = "Print JSON, for programs; with --watch one line each time.")
    private boolean json;

    LagCommand(Services services, Terminal terminal) {
        this.services = services;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws ServiceException, InterruptedException {
        WorkerApi worker = options.of(services).worker(options.worker);
        Redraw screen = new Redraw(terminal);
        show(worker.lag(), screen);
        while (watch) {
            BoundedWait.rest(PAUSE);
            try {
                show(worker.lag(), screen);
            } catch (ServiceException e) {
                // The worker may come back, and the user who watches wants to see that.
                screen.draw(List.of(terminal.tinted(e.getMessage(), Tint.RED)));
            }
        }
        return ExitCode.DONE;
    }

    private void show(JsonNode lag, Redraw screen) {
        if (json) {
            terminal.line(lag.toString());
        } else {
            screen.draw(LagTable.render(RowJson.as(LagReport.class, lag), terminal));
        }
    }
}
