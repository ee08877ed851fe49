package dev.tidemark.deploy.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import dev.tidemark.api.BulkResult;
import dev.tidemark.api.IndexLifecycle;
import dev.tidemark.deploy.backup.BackupException;
import dev.tidemark.deploy.backup.BackupPart;
import dev.tidemark.deploy.backup.NewBackup;
import dev.tidemark.deploy.backup.Restore;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.text.Amounts;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.deploy.text.VerifyText;
import dev.tidemark.runtime.SteadyClock;

/** Commands about whole tables: loading, following, comparing with their indexes, and copies of all of them. */
final class TableCommands {
    private static final int SHOWN_REJECTIONS = 10;

    private TableCommands() {}

    @Command(
            mixinStandardHelpOptions = true,
            description = {
                "Loads rows into a table.",
                "The file has one JSON object a line; a line {\"$delete\": KEY} deletes. Lines that the writer rejects"
                        + " do not stop the others."
            },
            footer = {
                "",
                "Example:",
                "  tidemark load customers deploy/samples/customers.ndjson",
                "",
                "Exit code 1 when any line was rejected."
            })
    static int load(
            @Mixin ClientOptions client,
            @Parameters(index = "0", paramLabel = "TABLE", description = "Name of the table.") String table,
            @Parameters(index = "1", paramLabel = "FILE", description = "NDJSON, UTF-8.") Path file)
            throws ServiceException, InterruptedException {
        Terminal terminal = client.terminal();
        Clock clock = new SteadyClock();
        Instant start = clock.instant();
        BulkResult result = send(client, table, file);
        Duration took = Duration.between(start, clock.instant());
        List<BulkResult.Rejection> listed = result.rejected();
        long rejected = Math.max(result.rejectedTotal(), listed.size());
        terminal.line(table + ": " + Amounts.count(result.committed(), "row", "rows") + " committed, "
                + Amounts.count(rejected) + " rejected in " + Amounts.duration(took) + " ("
                + Amounts.rate(result.committed(), took) + " rows/s)");
        listed.stream()
                .limit(SHOWN_REJECTIONS)
                .forEach(line -> terminal.complain("line " + line.line() + ": " + line.detail()));
        long more = rejected - Math.min(listed.size(), SHOWN_REJECTIONS);
        if (more > 0) {
            terminal.complain("… and " + Amounts.count(more) + " more");
        }
        return rejected == 0 ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private static BulkResult send(ClientOptions client, String table, Path file)
            throws ServiceException, InterruptedException {
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            throw client.wrongUsage("expected a readable file at " + file);
        }
        AtomicReference<@Nullable IOException> unreadable = new AtomicReference<>();
        try (ProgressLine progress = new ProgressLine(client.terminal(), "rows", true)) {
            long total = client.terminal().errInteractive() ? CountedLines.of(file) : 0;
            progress.show(table, 0, total);
            return client.writer()
                    .load(
                            table,
                            () -> CountedLines.open(
                                    file, lines -> progress.show(table, lines, total), unreadable::set));
        } catch (IOException e) {
            throw new ServiceException("reading " + file + " failed: " + e.getMessage());
        } catch (ServiceException e) {
            // The writer is not to blame for a request that broke off here.
            IOException failure = unreadable.get();
            throw failure == null
                    ? e
                    : new ServiceException("reading " + file + " failed: " + failure.getMessage()
                            + "; lines before that may have been committed");
        }
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = "Stops the indexes of a table from following it, until they are resumed.",
            footer = {
                "",
                "Answers go on, state their staleness, and have the state paused. All workers follow this order,",
                "those that are started later as well.",
                "",
                "Example:",
                "  tidemark pause customers"
            })
    static void pause(
            @Mixin ClientOptions client,
            @Parameters(index = "0", paramLabel = "TABLE", description = "Name of the table.") String table)
            throws ServiceException, InterruptedException {
        client.worker().pause(table);
        client.terminal().line(table + ": its indexes no longer follow; answers go on and grow older");
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = "Lets the indexes of a table go on where they were paused.",
            footer = {"", "Example:", "  tidemark resume customers"})
    static void resume(
            @Mixin ClientOptions client,
            @Parameters(index = "0", paramLabel = "TABLE", description = "Name of the table.") String table)
            throws ServiceException, InterruptedException {
        client.worker().resume(table);
        client.terminal().line(table + ": its indexes follow again");
    }

    @Command(
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
                "Compares what the replica group of the worker at --worker holds: ask a worker of each group.",
                "Of an index in two generations, the one that queries read has the word answers beside its number.",
                "Names the first 32 of each kind. Exit code 1 when something differs, is not known or was not"
                        + " compared.",
                "",
                "Examples:",
                "  tidemark verify customers",
                "  tidemark verify customers --index by_town --full --json"
            })
    static int verify(
            @Mixin ClientOptions client,
            @Parameters(index = "0", paramLabel = "TABLE", description = "Name of the table.") String table,
            @Option(names = "--index", paramLabel = "INDEX", description = "One index of the table; all when left out.")
                    Optional<String> index,
            @Option(
                            names = "--full",
                            description = "Derive the entries of every row, not only of one in a hundred beside the"
                                    + " versions of all.")
                    boolean full,
            @Option(names = "--json", description = "Print JSON: the answer of GET /v1/verify/{id}.") boolean json)
            throws ServiceException, InterruptedException {
        return compare(client, client.job().verify(table, index, full, false), json, VerifyText::found);
    }

    /** How people read a comparison, beside the generations that answer. */
    @FunctionalInterface
    private interface Found {
        List<String> render(JsonNode job, Set<Long> answering, Terminal terminal);
    }

    private static int compare(ClientOptions client, JsonNode job, boolean json, Found text)
            throws ServiceException, InterruptedException {
        Set<Long> answering = answering(client, job, json);
        client.print(job, json, (answer, terminal) -> text.render(answer, answering, terminal));
        return job.path("equal").asBoolean() ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    /** The generations that answer, where the text needs them to distinguish two of one index. */
    private static Set<Long> answering(ClientOptions client, JsonNode job, boolean json)
            throws ServiceException, InterruptedException {
        if (json || !VerifyText.hasTwoGenerations(job)) {
            return Set.of();
        }
        return client.worker().lifecycleStates().stream()
                .map(IndexLifecycle::answering)
                .collect(Collectors.toUnmodifiableSet());
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = "Compares a table with its indexes, puts the rows right that differ, and compares again.",
            footer = {
                "",
                "Each row that differs is applied once more as its table has it, with its real version, like any",
                "change; nothing else is touched. Repairs what the replica group of the worker at --worker holds: ask",
                "a worker of each group. Exit code 1 when something differs afterwards.",
                "",
                "Example:",
                "  tidemark repair customers --index by_town"
            })
    static int repair(
            @Mixin ClientOptions client,
            @Parameters(index = "0", paramLabel = "TABLE", description = "Name of the table.") String table,
            @Option(names = "--index", paramLabel = "INDEX", description = "One index of the table; all when left out.")
                    Optional<String> index,
            @Option(names = "--json", description = "Print JSON: the answer of GET /v1/verify/{id}.") boolean json)
            throws ServiceException, InterruptedException {
        return compare(client, client.job().verify(table, index, true, true), json, VerifyText::repaired);
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = "Copies the fact tables and the shards of services on this machine while they work.",
            footer = {
                "",
                "The backup holds all writes that were acknowledged before the command was given. The topics are no",
                "part of it, and need not be: indexes that are newer or older than the tables come together",
                "again after tidemark restore.",
                "",
                "A worker needs no backup: its shards come from the topics, only later.",
                "",
                "Examples:",
                "  tidemark backup --to /backups/monday",
                "  tidemark backup --to /backups/tuesday --only writer"
            })
    static void backup(
            @Mixin ClientOptions client,
            @Mixin CommandContext context,
            @Option(
                            names = "--to",
                            paramLabel = "DIR",
                            required = true,
                            description = "Where the backup is kept; absent or empty.")
                    Path to,
            @Option(
                            names = "--only",
                            paramLabel = "SERVICE",
                            description = "Copy what this one keeps, and do not call the other: writer or worker.")
                    Optional<BackupPart> only)
            throws ServiceException, BackupException, IOException, InterruptedException {
        String name = "backup-" + UUID.randomUUID();
        try (NewBackup backup = NewBackup.at(to)) {
            context.atExit().accept(() -> interrupted(backup, name, context.terminal()));
            for (BackupPart part : BackupPart.chosen(only)) {
                String service = part.toString();
                JsonNode made = client.backUp(service, name);
                long bytes = backup.take(service, Path.of(made.path("path").asText()));
                client.terminal().line(service + ": " + Amounts.bytes(bytes) + " copied to " + to.resolve(service));
            }
            backup.complete();
        }
    }

    private static void interrupted(NewBackup backup, String name, Terminal terminal) {
        try {
            if (backup.isOpen()) {
                backup.close();
                terminal.complain("Interrupted. A service that was just asked may still finish a copy " + name
                        + " in backups of its data directory, which takes space: remove it there.");
            }
        } catch (IOException e) {
            terminal.complain("The backup was interrupted, and its files cannot be removed: " + e);
        }
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = "Puts a backup back into the data directory of a stopped stack.",
            footer = {
                "",
                "Refuses a backup that is damaged or incomplete, and a place where something is: move",
                "DIR/writer/facts and DIR/worker/shards aside first, and leave the rest of DIR as it is. With --only",
                "writer the shards stay where they are, and the worker may run: they follow the tables.",
                "",
                "When the writer starts again it notices that its tables went back in time, begins another epoch, and",
                "commits every row once more, so that the indexes follow; tokens from before are refused.",
                "",
                "Example:",
                "  tidemark restore --from /backups/monday --data ./data"
            })
    static void restore(
            @Mixin CommandContext context,
            @Option(
                            names = "--from",
                            paramLabel = "DIR",
                            required = true,
                            description = "What tidemark backup had as --to.")
                    Path from,
            @Option(
                            names = "--data",
                            paramLabel = "DIR",
                            required = true,
                            description = "What tidemark stack has as --data.")
                    Path data,
            @Option(
                            names = "--only",
                            paramLabel = "SERVICE",
                            description = "Put back what this one keeps, and leave the other alone: writer or worker.")
                    Optional<BackupPart> only)
            throws BackupException, IOException {
        for (Path restored : Restore.run(from, data, BackupPart.chosen(only))) {
            context.terminal().line("put back " + restored);
        }
    }
}
