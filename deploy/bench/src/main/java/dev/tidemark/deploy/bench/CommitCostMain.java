package dev.tidemark.deploy.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.CatalogReader;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.rocks.RocksResources;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.SteadyClock;
import dev.tidemark.writer.commit.CommitOutcome;
import dev.tidemark.writer.commit.Committer;
import dev.tidemark.writer.commit.CommitterLimits;
import dev.tidemark.writer.commit.FactDigests;
import dev.tidemark.writer.commit.Precondition;
import dev.tidemark.writer.commit.RowRules;
import dev.tidemark.writer.commit.TableDigestBuilder;
import dev.tidemark.writer.commit.WriteCommand;
import dev.tidemark.writer.commit.WriteRequest;
import dev.tidemark.writer.rocks.RocksFactStore;
import dev.tidemark.writer.rocks.WriterDatabase;

/**
 * What it costs the committer to keep digests: the same requests go to two databases, of which one keeps the digests of
 * the table's indexes, in turns. Prints nanoseconds of processor time of the committing thread for a change, a line a
 * round: with digests, then without; for rows that are new, and then for the same rows changed.
 */
public final class CommitCostMain {
    private static final long ROW_CACHE_BYTES = 96L << 20;
    private static final int BATCH = 500;
    private static final int MAX_ROW_BYTES = 1 << 20;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final TableDefinition table;
    private final RowRules rules;
    private final Clock clock = new SteadyClock();

    private CommitCostMain(TableDefinition table) {
        this.table = table;
        this.rules = new RowRules(table, MAX_ROW_BYTES);
    }

    /** Arguments: catalog file, an empty directory, rounds, rows a round. */
    public static void main(String[] arguments) throws Exception {
        Catalog catalog = CatalogReader.read(Path.of(arguments[0]));
        CommitCostMain bench = new CommitCostMain(catalog.table("customers").orElseThrow());
        int rows = Integer.parseInt(arguments[3]);
        // The first round warms up.
        bench.round(catalog, Path.of(arguments[1], "round-0"), rows);
        for (int round = 1; round <= Integer.parseInt(arguments[2]); round++) {
            System.out.println(bench.round(catalog, Path.of(arguments[1], "round-" + round), rows));
        }
    }

    private String round(Catalog catalog, Path directory, int rows) throws Exception {
        Catalog bare = new Catalog(List.of());
        try (RocksResources resources = new RocksResources(256L << 20, 32L << 20);
                WriterDatabase keeping = WriterDatabase.open(directory.resolve("with"), catalog, resources);
                WriterDatabase plain = WriterDatabase.open(directory.resolve("without"), catalog, resources)) {
            Definitions indexes = Definitions.first(catalog, clock.instant());
            Definitions none = Definitions.first(bare, clock.instant());
            Committer with = committer(keeping, () -> indexes);
            Committer without = committer(plain, () -> none);
            return pass(with, without, rows, 0) + " " + pass(with, without, rows, rows);
        }
    }

    private Committer committer(WriterDatabase database, Supplier<Definitions> definitions) throws Exception {
        RocksFactStore store = new RocksFactStore(database, ROW_CACHE_BYTES);
        TableDigestBuilder sums = new TableDigestBuilder();
        FactDigests digests = new FactDigests(store, definitions, sums, Duration.ofSeconds(1));
        Committer committer = new Committer(
                store,
                digests,
                () -> Map.of(table.name(), rules),
                new CommitterLimits(10, 1L << 30, BATCH, Duration.ofNanos(1)),
                MemoryBudget.unlimited().part("queue", 1),
                table -> Optional.empty(),
                clock,
                (batch, took) -> {});
        committer.doWork();
        sums.doWork();
        committer.doWork();
        return committer;
    }

    private String pass(Committer with, Committer without, int rows, long salt) throws Exception {
        long withNanos = 0;
        long withoutNanos = 0;
        for (int first = 0; first < rows; first += BATCH) {
            if (first / BATCH % 2 == 0) {
                withNanos += commit(with, request(first, salt));
                withoutNanos += commit(without, request(first, salt));
            } else {
                withoutNanos += commit(without, request(first, salt));
                withNanos += commit(with, request(first, salt));
            }
        }
        return withNanos / rows + " " + withoutNanos / rows;
    }

    private WriteRequest request(int first, long salt) throws Exception {
        List<WriteCommand> commands = new ArrayList<>(BATCH);
        for (int row = first; row < first + BATCH; row++) {
            var tree = RowJson.parseObject(CustomerRow.ofRow(row).bytes());
            tree.put("visits", salt);
            KeyBytes key = table.keyOf(tree);
            commands.add(new WriteCommand.Put(key, rules.accept(key, tree), Precondition.NONE));
        }
        return new WriteRequest(table.name(), commands, false, BATCH * 200L);
    }

    private long commit(Committer committer, WriteRequest request) throws Exception {
        CompletableFuture<List<CommitOutcome>> done = committer.submit(request, PATIENCE);
        long before = threads.getCurrentThreadCpuTime();
        committer.doWork();
        long took = threads.getCurrentThreadCpuTime() - before;
        done.get();
        return took;
    }
}
