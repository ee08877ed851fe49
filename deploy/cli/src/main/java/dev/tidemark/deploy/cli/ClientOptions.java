package dev.tidemark.deploy.cli;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.client.Services;
import dev.tidemark.deploy.client.WorkerApi;
import dev.tidemark.deploy.client.WriterApi;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.settings.Durations;

/** Where the services are, and who calls them: every client command takes these options. */
final class ClientOptions {
    private final Services services;
    private final Terminal terminal;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = "--writer",
            paramLabel = "URL",
            split = ",",
            converter = ServiceUrlConverter.class,
            defaultValue = "http://127.0.0.1:8081",
            description =
                    "Where the writer is (default: ${DEFAULT-VALUE}). Of several, separated by commas, the next one is"
                            + " called where one cannot be reached.")
    private URI[] writers = {};

    @Option(
            names = "--worker",
            paramLabel = "URL",
            converter = ServiceUrlConverter.class,
            description = "Where the index worker is (default: ${DEFAULT-VALUE}).")
    private URI worker = URI.create("http://127.0.0.1:8082");

    @Mixin
    private IdentityOptions identity = new IdentityOptions();

    ClientOptions(Services services, Terminal terminal) {
        this.services = services;
        this.terminal = terminal;
    }

    Terminal terminal() {
        return terminal;
    }

    /** The command that has these options, by its own name. */
    String command() {
        return command.name();
    }

    WriterApi writer() throws ServiceException {
        return identified().writer(writers);
    }

    WorkerApi worker() throws ServiceException {
        return identified().worker(worker);
    }

    WorkerJob job() throws ServiceException {
        return new WorkerJob(worker(), terminal);
    }

    /** Has a service make a copy of that name of what it keeps, on its own machine. */
    JsonNode backUp(String service, String name) throws ServiceException, InterruptedException {
        return identified().backUp(service, name, service.equals("writer") ? writers : new URI[] {worker});
    }

    /** Prints an answer as it came, for programs, or as text for people. */
    void print(JsonNode answer, boolean json, BiFunction<JsonNode, Terminal, List<String>> text) {
        terminal.lines(json ? List.of(answer.toString()) : text.apply(answer, terminal));
    }

    /** The arguments of the command are wrong in a way that only the command can see. */
    ParameterException wrongUsage(String why) {
        return new ParameterException(command.commandLine(), why);
    }

    /** The duration in an option, as people write it. */
    Duration duration(String option, String text) {
        try {
            return Durations.parse(text);
        } catch (BadSettingsException e) {
            throw wrongUsage(option + ": " + e.getMessage());
        }
    }

    /** A writer has answered where the worker should be. */
    ServiceException writerInPlaceOfWorker() {
        return new ServiceException(
                "expected an index worker at " + worker + ", but a writer answers there; correct" + " --worker");
    }

    private Services identified() throws ServiceException {
        return services.as(identity.identity());
    }
}
