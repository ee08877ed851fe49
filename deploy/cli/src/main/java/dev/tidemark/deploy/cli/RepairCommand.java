package dev.tidemark.deploy.cli;

import java.util.Optional;
import java.util.concurrent.Callable;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.client.Services;
import dev.tidemark.deploy.client.WorkerApi;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.deploy.text.VerifyText;

/** Puts index entries right. */
@Command(
        name = "repair",
        mixinStandardHelpOptions = true,
        description = "Compares a table with its indexes, puts the rows right that differ, and compares again.",
        footer = {
            "",
            "Each row that differs is applied once more as its table has it, with its real version, like any",
            "change; nothing else is touched. Exit code 1 when something differs afterwards.",
            "",
            "Example:",
            "  tidemark repair customers --index by_town"
        })
final class RepairCommand implements Callable<Integer> {
    private final Services services;
    private final Terminal terminal;

    @Mixin
    private ClientOptions options = new ClientOptions();

    @Parameters(index = "0", paramLabel = "TABLE", description = "Name of the table.")
    private String table = "";

    @Option(names = "--index", paramLabel = "INDEX", description = "One index of the table; all when left out.")
    private Optional<String> index = Optional.empty();

    @Option(names = "--json", description = "Print JSON, for programs.")
    private boolean json;

    RepairCommand(Services services, Terminal terminal) {
        this.services = services;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws ServiceException, InterruptedException {
        WorkerApi worker = options.of(services).worker(options.worker);
        JsonNode job = VerifyProgress.watch(worker, worker.verify(table, index, true, true), table, terminal);
        if (json) {
            terminal.line(job.toString());
        } else {
            terminal.lines(VerifyText.found(job, terminal));
            terminal.lines(VerifyText.repaired(job, terminal));
        }
        return job.path("equal").asBoolean() ? ExitCode.DONE : ExitCode.FAILED;
    }
}
