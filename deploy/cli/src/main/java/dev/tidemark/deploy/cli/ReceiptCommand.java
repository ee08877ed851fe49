package dev.tidemark.deploy.cli;

import java.util.concurrent.Callable;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.client.Services;
import dev.tidemark.deploy.text.ReceiptLines;
import dev.tidemark.deploy.text.Terminal;

/** Shows the receipt of a write: its state in each index. */
@Command(
        name = "receipt",
        mixinStandardHelpOptions = true,
        description = "Says what became of a write in each index of its table.",
        footer = {
            "",
            "visible         queries see it",
            "pending         not yet; shows at most how many changes come before it",
            "not_applicable  applied, and the index holds no such row; shows why",
            "quarantined     could not be applied; shows why",
            "superseded      a newer version of the row took its place",
            "",
            "Exits with 1 while anything is pending.",
            "",
            "Examples:",
            "  tidemark receipt AgljdXN0b21lcnMAAQAEAAAAAAABFYCBeGPeeg",
            "  tidemark receipt AgljdXN0b21lcnMAAQAEAAAAAAABFYCBeGPeeg --wait 5s"
        })
final class ReceiptCommand implements Callable<Integer> {
    private final Services services;
    private final Terminal terminal;

    @Mixin
    private ClientOptions options = new ClientOptions();

    @Parameters(index = "0", paramLabel = "TOKEN", description = "What the write answered.")
    private String token = "";

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            defaultValue = "0s",
            description = "Wait until nothing is pending, at most so long and at most 30s (default: 0s).")
    private String wait = "0s";

    @Option(names = "--json", description = "Print the answer as JSON, for programs.")
    private boolean json;

    ReceiptCommand(Services services, Terminal terminal) {
        this.services = services;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws ServiceException, InterruptedException {
        JsonNode receipt = options.of(services).worker(options.worker).receipt(token, wait);
        if (json) {
            terminal.line(receipt.toString());
        } else {
            terminal.lines(ReceiptLines.render(receipt, terminal));
        }
        return receipt.path("decided").asBoolean() ? ExitCode.DONE : ExitCode.FAILED;
    }
}
