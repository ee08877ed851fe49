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

/** Compares a table with its indexes. */
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        description = "Compares a table with its indexes, both ways, while writes go on.",
        footer = {
            "",
            "missing      the table has the row, the index lacks the entry",
            "dangling     the index has the entry, the table lacks the row",
            "stale        the entry is that of an older version of the row",
            "bad_covered  the entry is in its place, but carries something else",
            "duplicate    the row has all its entries, and one beside them",
            "ahead        the index has the row in a version that the writer never gave",
            "quarantined  the table has the row, and a record of it could not be applied",
            "",
            "Names the first 32 of each kind. Exit code 1 when something differs, is not known or was not compared.",
            "",
            "Examples:",
            "  tidemark verify customers",
            "  tidemark verify customers --index by_town --full --json"
        })
final class VerifyCommand implements Callable<Integer> {
    private final Services services;
    private final Terminal terminal;

    @Mixin
    private ClientOptions options = new ClientOptions();

    @Parameters(index = "0", paramLabel = "TABLE", description = "Name of the table.")
    private String table = "";

    @Option(names = "--index", paramLabel = "INDEX", description = "One index of the table; all when left out.")
    private Optional<String> index = Optional.empty();

    @Option(
            names = "--full",
            description = "Derive the entries of every row, not only of one in a hundred beside the versions of all.")
    private boolean full;

    @Option(names = "--json", description = "Print JSON, for programs.")
    private boolean json;

    VerifyCommand(Services services, Terminal terminal) {
        this.services = services;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws ServiceException, InterruptedException {
        WorkerApi worker = options.of(services).worker(options.worker);
        JsonNode job = VerifyProgress.watch(worker, worker.verify(table, index, full, false), table, terminal);
        if (json) {
            terminal.line(job.toString());
        } else {
            terminal.lines(VerifyText.found(job, terminal));
        }
        return job.path("equal").asBoolean() ? ExitCode.DONE : ExitCode.FAILED;
    }
}
