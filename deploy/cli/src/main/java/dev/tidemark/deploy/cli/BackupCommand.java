package dev.tidemark.deploy.cli;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.Callable;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import dev.tidemark.deploy.backup.BackupException;
import dev.tidemark.deploy.backup.NewBackup;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.client.Services;
import dev.tidemark.deploy.text.Amounts;
import dev.tidemark.deploy.text.Terminal;

/** Copies the fact tables and the shards of running services. */
@Command(
        name = "backup",
        mixinStandardHelpOptions = true,
        description = "Copies the fact tables and the shards of services on this machine while they work.",
        footer = {
            "",
            "The backup holds all writes that were acknowledged before the command was given. The topics are no",
            "part of it, and need not be: indexes that are newer or older than the tables come together again after",
            "tidemark restore.",
            "",
            "Example:",
            "  tidemark backup --to /backups/monday"
        })
final class BackupCommand implements Callable<Integer> {
    private final Services services;
    private final Terminal terminal;

    @Mixin
    private ClientOptions options = new ClientOptions();

    @Option(
            names = "--to",
            paramLabel = "DIR",
            required = true,
            description = "Where the backup is kept; absent or empty.")
    private Path to = Path.of("backup");

    BackupCommand(Services services, Terminal terminal) {
        this.services = services;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws ServiceException, BackupException, IOException, InterruptedException {
        NewBackup backup = NewBackup.at(to);
        // The shards first: what they then lack is in the topics, and their tables are never behind them.
        take("worker", options.worker, backup);
        take("writer", options.writer, backup);
        backup.complete();
        return ExitCode.DONE;
    }

    private void take(String service, URI url, NewBackup backup)
            throws ServiceException, BackupException, IOException, InterruptedException {
        JsonNode made = options.of(services).backUp(service, url);
        long bytes = backup.take(service, Path.of(made.path("path").asText()));
        terminal.line(service + ": " + Amounts.bytes(bytes) + " copied to " + to.resolve(service));
    }
}
