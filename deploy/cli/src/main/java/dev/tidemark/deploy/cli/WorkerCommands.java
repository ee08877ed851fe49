package dev.tidemark.deploy.cli;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.text.ShardLines;
import dev.tidemark.deploy.text.WorkerLines;
import dev.tidemark.runtime.SteadyClock;

/** Commands that show the workers of a deployment and what they have. */
final class WorkerCommands {
    private WorkerCommands() {}

    @Command(
            mixinStandardHelpOptions = true,
            description = {
                "Shows the live workers, and what none of them has.",
                "Any worker knows all. Below the table stands what a replica group should have and no live worker of it"
                        + " has, and what is wrong: workers that cannot be asked, and addresses that cannot be right."
            },
            footer = {
                "",
                "shards     partitions of change topics that the worker has",
                "state      the worst of its shards: steady, paused, catching_up, restoring, copying, degraded, or",
                "           unknown, as when it does not answer the asked one",
                "watermark  age of the least watermark of its shards, at most; unknown while that of one is",
                "",
                "Examples:",
                "  tidemark workers",
                "  tidemark workers --json"
            })
    static void workers(
            @Mixin ClientOptions client,
            @Option(names = "--json", description = "Print JSON: the answer of GET /v1/workers.") boolean json)
            throws ServiceException, InterruptedException {
        Clock clock = new SteadyClock();
        Instant asked = clock.instant();
        JsonNode workers = client.worker().workers();
        Duration took = Duration.between(asked, clock.instant());
        client.print(workers, json, (answer, terminal) -> WorkerLines.render(answer, took, terminal));
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = {
                "Shows the shards: who has each, and what is in it.",
                "Below the table stand hot shards, with over twice the median of rows, bytes or changes of their table, and"
                        + " index keys with an outsized part of the changes of their index."
            },
            footer = {
                "",
                "state      copying, with the part that is here, while its files come from another worker",
                "watermark  its age by the writer's clock, at most; unknown while there is none",
                "",
                "Examples:",
                "  tidemark shards",
                "  tidemark shards customers",
                "  tidemark shards --json"
            })
    static void shards(
            @Mixin ClientOptions client,
            @Parameters(index = "0", arity = "0..1", paramLabel = "TABLE", description = "One table alone.")
                    Optional<String> table,
            @Option(
                            names = "--json",
                            description = "Print JSON: the answer of GET /v1/workers, with the shards of all tables.")
                    boolean json)
            throws ServiceException, InterruptedException {
        // First, so that the ages in the other answer do not grow meanwhile.
        JsonNode advice = json ? MissingNode.getInstance() : client.worker().advice();
        Clock clock = new SteadyClock();
        Instant asked = clock.instant();
        JsonNode workers = client.worker().workers();
        Duration took = Duration.between(asked, clock.instant());
        Set<String> tables = ShardLines.tables(workers);
        if (table.isPresent() && !tables.contains(table.get())) {
            throw new ServiceException("expected one of the tables " + tables + ", but got " + table.get());
        }
        client.print(workers, json, (answer, terminal) -> ShardLines.render(answer, advice, table, took, terminal));
    }
}
