package dev.tidemark.deploy.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import dev.tidemark.api.IndexLifecycle;
import dev.tidemark.catalog.CatalogException;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.text.AdviceLines;
import dev.tidemark.deploy.text.ForecastLines;
import dev.tidemark.deploy.text.ForecastVsActualLines;
import dev.tidemark.deploy.text.IndexTable;
import dev.tidemark.row.RowJson;
import dev.tidemark.settings.CatalogFile;

/** Commands about the definitions of indexes and the building of them. */
final class IndexCommands {
    private static final Duration FOR_EVER = Duration.ofDays(365);

    private IndexCommands() {}

    @Command(
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
    static void indexes(
            @Mixin ClientOptions client,
            @Parameters(
                            index = "0",
                            arity = "0..1",
                            paramLabel = "INDEX",
                            description = "One index, or table.index; all when left out.")
                    Optional<String> index,
            @Option(
                            names = "--json",
                            description = "Print JSON: the answer of GET /v1/indexes, or of GET /v1/indexes/{index}.")
                    boolean json)
            throws ServiceException, InterruptedException {
        if (index.isPresent()) {
            client.print(client.worker().show(index.get()), json, ForecastVsActualLines::render);
        } else {
            client.print(
                    client.worker().list(),
                    json,
                    (all, terminal) -> IndexTable.render(
                            RowJson.as(IndexLifecycle.All.class, all).indexes(), terminal));
        }
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = "Says which indexes cost more than they give, and what to do about each.",
            footer = {
                "",
                "It looks at the values of each index, and at the questions that came while the worker ran; counting",
                "begins again when the worker starts. What is saved is an estimate.",
                "",
                "values     different values of the first part of the key; with a plus, at least that number",
                "heaviest   the part of the entries that the most frequent of them has",
                "fetched    questions that fetched the rows from the writer",
                "",
                "Examples:",
                "  tidemark advise",
                "  tidemark advise --json"
            })
    static void advise(
            @Mixin ClientOptions client,
            @Option(names = "--json", description = "Print JSON: the answer of GET /v1/advice.") boolean json)
            throws ServiceException, InterruptedException {
        client.print(client.worker().advice(), json, AdviceLines::render);
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = {
                "Forecasts what the new and changed indexes of a catalog file would be like.",
                "Reads the real changes of their tables, looks at a sample of the rows, and stores nothing."
            },
            footer = {
                "",
                "size       estimated bytes on disk; the store compresses, and how well is guessed from the sample",
                "hottest    the key with the most entries in the sample, times what the sample stands for; two",
                "           numbers where counting in little memory leaves open how many they were",
                "refused    rows that the index could not hold",
                "build      time to build it, from what this worker has measured, or from the last lines",
                "per change what each change of the table would cost the worker more",
                "",
                "A line for each global index: the records that a change adds on average while no key changes,",
                "or where each row gets the key of another one, and the bytes of its topic, compressed.",
                "",
                "Examples:",
                "  tidemark plan -f catalog.yaml",
                "  tidemark plan -f catalog.yaml --sample 100%% --json",
                "",
                "Exit code 1 when it could not be forecast, or rows would be refused."
            })
    static int plan(
            @Mixin ClientOptions client,
            @Option(
                            names = {"-f", "--file"},
                            required = true,
                            paramLabel = "FILE",
                            description = "The catalog file.")
                    Path file,
            @Option(
                            names = "--sample",
                            paramLabel = "PERCENT",
                            defaultValue = "10%",
                            description = "The part of the rows to look at (default: ${DEFAULT-VALUE}).",
                            converter = PercentConverter.class)
                    double sample,
            @Option(names = "--json", description = "Print JSON: the answer of GET /v1/plan/{id}.") boolean json)
            throws ServiceException, CatalogException, InterruptedException {
        // Reads the file here first, so that errors name the file.
        CatalogFile.read(file);
        JsonNode plan = client.job().forecast(text(file), sample, FOR_EVER);
        client.print(plan, json, ForecastLines::render);
        return ForecastLines.refused(plan) == 0 ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    /** The text of a catalog file. */
    static String text(Path file) throws ServiceException {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new ServiceException("reading " + file + " failed: " + e.getMessage());
        }
    }
}
