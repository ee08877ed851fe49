package dev.tidemark.deploy.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

import dev.tidemark.api.BulkResult;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.client.Services;
import dev.tidemark.deploy.text.Amounts;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.runtime.SteadyClock;

/** Bulk load of a file. */
@Command(
        name = "load",
        mixinStandardHelpOptions = true,
        description = {
            "Loads rows into a table.",
            "The file has one JSON object a line; a line {\"$delete\": KEY} deletes. Lines that the writer rejects do"
                    + " not stop the others."
        },
        footer = {
            "",
            "Example:",
            "  tidemark load customers deploy/samples/customers.ndjson",
            "",
            "Exit code 1 when any line was rejected."
        })
final class LoadCommand implements Callable<Integer> {
    private static final int SHOWN = 10;

    private final Services services;
    private final Terminal terminal;
    private final Clock clock = new SteadyClock();

    @Mixin
    private ClientOptions options = new ClientOptions();

    @Parameters(index = "0", paramLabel = "TABLE", description = "Name of the table.")
    private String table = "";

    @Parameters(index = "1", paramLabel = "FILE", description = "NDJSON, UTF-8.")
    private Path file = Path.of("");

    LoadCommand(Services services, Terminal terminal) {
        this.services = services;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws ServiceException, InterruptedException {
        Instant start = clock.instant();
        BulkResult result = send();
        Duration took = Duration.between(start, clock.instant());
        terminal.line(table + ": " + Amounts.count(result.committed(), "row", "rows") + " committed, "
                + Amounts.count(result.rejected().size()) + " rejected in " + Amounts.duration(took) + " ("
                + Amounts.rate(result.committed(), took) + " rows/s)");
        List<BulkResult.Rejection> rejected = result.rejected();
        rejected.stream().limit(SHOWN).forEach(line -> terminal.complain("line " + line.line() + ": " + line.detail()));
        if (rejected.size() > SHOWN) {
            terminal.complain("… and " + Amounts.count(rejected.size() - SHOWN) + " more");
        }
        return rejected.isEmpty() ? ExitCode.DONE : ExitCode.FAILED;
    }

    private BulkResult send() throws ServiceException, InterruptedException {
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            throw new ServiceException("expected a readable file at " + file);
        }
        try (LoadProgress progress = LoadProgress.of(file, table, terminal)) {
            return options.of(services).writer(options.writer).load(table, progress::open);
        } catch (IOException e) {
            throw new ServiceException("reading " + file + " failed: " + e.getMessage());
        }
    }
}
