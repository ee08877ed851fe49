package dev.tidemark.deploy.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import dev.tidemark.catalog.CatalogException;
import dev.tidemark.catalog.CatalogReader;
import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.deploy.stack.LocalStack;
import dev.tidemark.deploy.stack.ReadinessProbe;
import dev.tidemark.deploy.stack.StackException;
import dev.tidemark.deploy.stack.StackPorts;
import dev.tidemark.deploy.stack.StackSettings;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.runtime.ServiceProcess;

/** Broker, writer and worker as child processes, until SIGTERM. */
@Command(
        name = "stack",
        mixinStandardHelpOptions = true,
        description = {
            "Runs broker, writer and worker on this machine.",
            "They run until SIGTERM or Ctrl-C. One line, ready, says that all three are. Everything is kept in --data: a"
                    + " directory, a log file and a pid file for each."
        },
        footer = {"", "Example:", "  tidemark stack --data ./data --catalog deploy/samples/catalog.yaml --restart"})
final class StackCommand implements Callable<Integer> {
    // A worker is ready when it has caught up, which takes as long as there is something to catch up with.
    private static final Duration START_PATIENCE = Duration.ofMinutes(30);

    private final ReadinessProbe probe;
    private final Terminal terminal;

    @Option(names = "--data", paramLabel = "DIR", required = true, description = "Where everything is kept.")
    private Path data = Path.of("data");

    @Option(names = "--catalog", paramLabel = "FILE", required = true, description = "Tables and their indexes.")
    private Path catalog = Path.of("catalog.yaml");

    @Option(
            names = "--broker-port",
            paramLabel = "P",
            defaultValue = "9092",
            description = "Port of the broker (default: ${DEFAULT-VALUE}).")
    private int brokerPort = StackPorts.BROKER;

    @Option(
            names = "--writer-port",
            paramLabel = "P",
            defaultValue = "8081",
            description = "Port of the writer (default: ${DEFAULT-VALUE}).")
    private int writerPort = StackPorts.WRITER;

    @Option(
            names = "--worker-port",
            paramLabel = "P",
            defaultValue = "8082",
            description = "Port of the worker (default: ${DEFAULT-VALUE}).")
    private int workerPort = StackPorts.WORKER;

    @Option(names = "--restart", description = "Start a child that died again.")
    private boolean restart;

    StackCommand(ReadinessProbe probe, Terminal terminal) {
        this.probe = probe;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws StackException, CatalogException, InterruptedException {
        // Reads the catalog here as well, so that an error is reported at once and not only in a log.
        CatalogReader.read(catalog);
        StackPorts ports = StackPorts.of(brokerPort, writerPort, workerPort);
        StackSettings settings =
                StackSettings.of(data, catalog, ports).withRestart(restart).withStartPatience(START_PATIENCE);
        LocalStack stack =
                LocalStack.start(Installation.locate(), settings, probe, new StackReporter(terminal, settings));
        terminal.line("ready");
        ServiceProcess.runUntilStopped(stack);
        return ExitCode.DONE;
    }
}
