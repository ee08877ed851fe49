package dev.tidemark.deploy.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import dev.tidemark.catalog.CatalogException;
import dev.tidemark.catalog.CatalogReader;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.client.Services;
import dev.tidemark.deploy.text.ForecastLines;
import dev.tidemark.deploy.text.Terminal;

/** What the indexes of a catalog file would be like. */
@Command(
        name = "plan",
        mixinStandardHelpOptions = true,
        description = {
            "Forecasts what the new and changed indexes of a catalog file would be like.",
            "Reads the real changes of their tables, looks at a sample of the rows, and stores nothing."
        },
        footer = {
            "",
            "size       estimated bytes on disk; the store compresses, and how well is guessed from the sample",
            "hottest    the key with the most entries in the sample, times what the sample stands for; two numbers where",
            "           counting in little memory leaves open how many they were",
            "refused    rows that the index could not hold",
            "build      time to build it, from what this worker has measured, or from the last lines",
            "per change what each change of the table would cost more",
            "",
            "Examples:",
            "  tidemark plan -f catalog.yaml",
            "  tidemark plan -f catalog.yaml --sample 100%% --json",
            "",
            "Exit code 1 when it could not be forecast, or rows would be refused."
        })
final class PlanCommand implements Callable<Integer> {
    private static final Duration FOR_EVER = Duration.ofDays(365);

    private final Services services;
    private final Terminal terminal;

    @Mixin
    private ClientOptions options = new ClientOptions();

    @Option(
            names = {"-f", "--file"},
            required = true,
            paramLabel = "FILE",
            description = "The catalog file.")
    private Path file = Path.of("");

    @Option(
            names = "--sample",
            paramLabel = "PERCENT",
            defaultValue = "10%",
            description = "The part of the rows to look at (default: ${DEFAULT-VALUE}).",
            converter = Percent.Converter.class)
    private Percent sample = new Percent(10);

    @Option(names = "--json", description = "Print JSON, for programs.")
    private boolean json;

    PlanCommand(Services services, Terminal terminal) {
        this.services = services;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws ServiceException, CatalogException, InterruptedException {
        JsonNode plan = new ForecastWait(options.of(services).worker(options.worker), terminal, FOR_EVER)
                .run(catalog(), sample.value());
        if (json) {
            terminal.line(plan.toString());
        } else {
            terminal.lines(ForecastLines.render(plan, terminal));
        }
        return ForecastLines.refused(plan) == 0 ? ExitCode.DONE : ExitCode.FAILED;
    }

    private String catalog() throws ServiceException, CatalogException {
        // Reads the file here first, so that errors name the file.
        CatalogReader.read(file);
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new ServiceException("reading " + file + " failed: " + e.getMessage());
        }
    }
}
