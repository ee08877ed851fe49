package dev.tidemark.deploy.cli;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.client.Services;
import dev.tidemark.deploy.text.ExplanationLines;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.SpelledValue;

/** Why a row is, or is not, in an index. */
@Command(
        name = "explain",
        mixinStandardHelpOptions = true,
        description = "Says why a row is, or is not, in an index.",
        footer = {
            "",
            "Shows the row's entries, or what keeps it out: a key field without a value, a condition of",
            "where, a change that is not applied yet, a quarantined record, a delete.",
            "",
            "Examples:",
            "  tidemark explain by_town 1009",
            "  tidemark explain recent the-matrix-1999",
            "  tidemark explain plays.by_name Paris,1984",
            "  tidemark explain plays.by_name '[\"Paris, Texas\", 1984]'",
            "",
            "A key is the JSON it spells: 1009 is a number, Paris is text, and so is '\"42\"'. The parts of",
            "a composite key are joined by commas, or written as a JSON list."
        })
final class ExplainCommand implements Callable<Integer> {
    private final Services services;
    private final Terminal terminal;

    @Mixin
    private ClientOptions options = new ClientOptions();

    @Parameters(index = "0", paramLabel = "INDEX", description = "Name of the index, or table.index.")
    private String index = "";

    @Parameters(index = "1", paramLabel = "KEY", description = "Primary key of the row.")
    private String key = "";

    @Option(names = "--json", description = "Print the answer as JSON, for programs.")
    private boolean json;

    ExplainCommand(Services services, Terminal terminal) {
        this.services = services;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws ServiceException, InterruptedException {
        JsonNode answer = options.of(services).worker(options.worker).explain(index, parts(key));
        if (json) {
            terminal.line(answer.toString());
        } else {
            terminal.lines(ExplanationLines.render(answer, terminal));
        }
        return ExitCode.DONE;
    }

    /** A list by its elements; any other text at its commas, which a key of one part joins again. */
    static List<String> parts(String text) {
        try {
            JsonNode node = RowJson.parse(text.getBytes(StandardCharsets.UTF_8));
            if (node.isArray() && !node.isEmpty()) {
                List<String> parts = new ArrayList<>();
                node.forEach(part -> parts.add(SpelledValue.write(part)));
                return parts;
            }
        } catch (BadJsonException e) {
            // Then it is text.
        }
        return List.of(text.split(",", -1));
    }
}
