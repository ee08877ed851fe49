package dev.tidemark.deploy.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.CatalogException;
import dev.tidemark.catalog.DefinitionJson;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.IndexChange;
import dev.tidemark.catalog.SourceChange;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.client.Services;
import dev.tidemark.deploy.client.WriterApi;
import dev.tidemark.deploy.text.ChangeCosts;
import dev.tidemark.deploy.text.SourceLines;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.settings.CatalogFile;

/** Brings a catalog file in force. */
@Command(
        name = "apply",
        mixinStandardHelpOptions = true,
        description = {
            "Brings the indexes of a catalog file in force, while writes and queries go on.",
            "Shows what it creates, changes and drops and what that will cost, and asks before it does so."
        },
        footer = {
            "",
            "A changed index is built again beside the old one, which answers until the new one is ready. So are",
            "the local indexes of a table whose partitions change. A new table comes into force when the writer",
            "starts with a file that has it. Where another client changed something meanwhile, it changes",
            "nothing and says what.",
            "",
            "Examples:",
            "  tidemark apply -f catalog.yaml",
            "  tidemark apply -f catalog.yaml --yes --wait --wait-time 10m",
            "",
            "Exit code 1 when it was not carried out, or, with --wait, an index did not become ready in time."
        })
final class ApplyCommand implements Callable<Integer> {
    private final Terminal terminal;
    private final InputStream in;

    @Mixin
    private ClientOptions client;

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            required = true,
            description = "The catalog file.")
    private Path file = Path.of("");

    @Option(names = "--yes", description = "Do not ask; needed where there is no terminal to ask on.")
    private boolean yes;

    @Option(names = "--wait", description = "Wait until every index of the file is ready.")
    private boolean wait;

    @Option(
            names = "--wait-time",
            paramLabel = "TIME",
            defaultValue = "30m",
            description = "How long --wait waits at most (default: ${DEFAULT-VALUE}).")
    private String waitTime = "30m";

    @Option(names = "--json", description = "Print JSON: the answer of PUT /v1/catalog; does not ask, so needs --yes.")
    private boolean json;

    /** @param in where the answer to the question is read */
    ApplyCommand(Services services, Terminal terminal, InputStream in) {
        this.client = new ClientOptions(services, terminal);
        this.terminal = terminal;
        this.in = in;
    }

    @Override
    public Integer call() throws ServiceException, CatalogException, InterruptedException {
        Duration patience = client.duration("--wait-time", waitTime);
        Catalog wanted = CatalogFile.read(file);
        WriterApi catalog = client.writer();
        Definitions present = catalog.inForce();
        List<String> reasons = present.foreign(wanted);
        if (!reasons.isEmpty()) {
            throw new ServiceException(
                    "expected a catalog with the tables that are in force, but " + String.join("; ", reasons));
        }
        List<IndexChange> changes = present.diff(wanted);
        List<String> leaving = present.leaving(wanted);
        List<SourceChange> sources = present.sourceChanges(wanted);
        boolean same = present.isInForce(wanted);
        if (!json && same) {
            terminal.line("Version " + present.version() + " of the definitions is in force and means what " + file
                    + " says; there is nothing to change.");
        }
        String text = IndexCommands.text(file);
        if (!json) {
            leaving.forEach(
                    table -> terminal.line("Table " + table + " leaves: its rows stay in the fact table, it takes no"
                            + " writes, and its topic is not needed any more."));
            terminal.lines(SourceLines.render(DefinitionJson.of(sources)));
            present.wanted()
                    .tables()
                    .forEach(table -> wanted.table(table.name())
                            .filter(other -> other.partitions() != table.partitions())
                            .ifPresent(other -> terminal.line("Table " + table.name() + " gets " + other.partitions()
                                    + " partitions in place of " + table.partitions() + ".")));
        }
        if (!same && !agreed(present, changes, text)) {
            terminal.complain("Nothing was changed.");
            return ExitCode.SOFTWARE;
        }
        JsonNode answer = put(catalog, present, wanted, text);
        show(answer, present);
        boolean ready = !wait
                || new BuildWatch(client.worker(), terminal, json)
                        .untilReady(wanted, catalog.inForce(), answer, patience);
        return ready ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private JsonNode put(WriterApi catalog, Definitions present, Catalog wanted, String text)
            throws ServiceException, InterruptedException {
        try {
            return new CatalogRollout(catalog, client.worker()).put(present, wanted, text);
        } catch (ServiceException e) {
            return afterFailure(catalog, present, wanted, text, e);
        }
    }

    /** The answer once more where only that was lost; otherwise what is in force now beside the failure. */
    private JsonNode afterFailure(
            WriterApi catalog, Definitions present, Catalog wanted, String text, ServiceException failure)
            throws ServiceException, InterruptedException {
        Definitions now;
        try {
            now = catalog.inForce();
            if (now.version() > present.version() && now.isInForce(wanted)) {
                return catalog.put(text, now.version());
            }
        } catch (ServiceException e) {
            failure.addSuppressed(e);
            throw failure;
        }
        if (now.version() == present.version()) {
            throw failure;
        }
        throw new ServiceException(failure.getMessage() + "\n" + file + " was not brought in force. Run this again: it"
                + " shows what is left to change from version " + now.version() + ".");
    }

    private void show(JsonNode answer, Definitions present) {
        if (json) {
            terminal.line(answer.toString());
        } else if (answer.path("version").asLong() > present.version()) {
            terminal.line("Version " + answer.path("version").asLong() + " of the definitions is in force.");
        }
    }

    private boolean agreed(Definitions present, List<IndexChange> changes, String text)
            throws ServiceException, InterruptedException {
        if (!json) {
            ChangeCosts costs = new CostPreview(client.worker(), terminal).of(changes, text);
            String inForce = "Version " + present.version() + " of the definitions is in force. ";
            terminal.line(inForce + (changes.isEmpty() ? "No index would change." : file + " would:"));
            terminal.lines(costs.render(changes, terminal));
        }
        if (yes) {
            return true;
        }
        return asked().orElseThrow(() -> client.wrongUsage("expected --yes, because there is no terminal to ask on"));
    }

    /** Whether the person at the terminal agrees; empty when no line can be read. Any line but a yes refuses. */
    private Optional<Boolean> asked() {
        if (json || !terminal.interactive()) {
            return Optional.empty();
        }
        terminal.out().print("Carry it out? [y/N] ");
        terminal.out().flush();
        try {
            BufferedReader lines = new BufferedReader(new InputStreamReader(in, Charset.defaultCharset()));
            return Optional.ofNullable(lines.readLine())
                    .map(line -> Set.of("y", "yes").contains(line.strip().toLowerCase(Locale.ROOT)));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
