package dev.tidemark.deploy.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.CatalogReader;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.metrics.ServiceMeters;
import dev.tidemark.rocks.RocksResources;
import dev.tidemark.runtime.SteadyClock;
import dev.tidemark.worker.apply.ChangeBatch;
import dev.tidemark.worker.apply.ListenerGroup;
import dev.tidemark.worker.apply.ShardApplier;
import dev.tidemark.worker.clocks.WriterClock;
import dev.tidemark.worker.lag.Visibility;
import dev.tidemark.worker.metrics.WorkerMeters;
import dev.tidemark.worker.rocks.RocksShardStores;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardOrigin;
import dev.tidemark.worker.store.ShardStore;

/**
 * What it costs to watch the applying: batches are applied to a shard in RocksDB, with the worker's listeners attached
 * and without, batch by batch. Prints the nanoseconds of processor time that the applying thread takes for a change, a
 * line a round: attached, then detached. Processor time, because others who use the machine do not count in it.
 */
public final class ApplyCostMain {
    private static final String TABLE = "customers";
    private static final long ROW_CACHE_BYTES = 64L << 20;
    private static final ShardId SHARD = new ShardId(TABLE, 0);
    private static final ShardApplier.Listener NOBODY = new SilentApplyListener();

    private final Clock clock = new SteadyClock();
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final TableDefinition table;
    private final Path directory;
    private final RocksResources resources;
    private final List<ChangeBatch> batches;
    private int rounds;

    private ApplyCostMain(TableDefinition table, Path directory, RocksResources resources, List<ChangeBatch> batches) {
        this.table = table;
        this.directory = directory;
        this.resources = resources;
        this.batches = batches;
    }

    /** Arguments: catalog file, an empty directory, rounds, changes a round, how many of them one commit made. */
    public static void main(String[] arguments) throws Exception {
        Catalog catalog = CatalogReader.read(Path.of(arguments[0]));
        TableDefinition table = catalog.table(TABLE).orElseThrow();
        Clock clock = new SteadyClock();
        try (ServiceMeters meters = new ServiceMeters();
                RocksResources resources = new RocksResources(128L << 20, 32L << 20)) {
            ListenerGroup watching =
                    new ListenerGroup(List.of(new Visibility(clock), new WorkerMeters(meters, () -> catalog)));
            ApplyCostMain bench = new ApplyCostMain(
                    table,
                    Path.of(arguments[1]),
                    resources,
                    ShardBatches.of(
                            table,
                            CustomerRow::ofChange,
                            Integer.parseInt(arguments[3]),
                            Integer.parseInt(arguments[4])));
            bench.round(watching);
            for (int round = 0; round < Integer.parseInt(arguments[2]); round++) {
                System.out.println(bench.round(watching));
            }
        }
    }

    /** Applies each batch to a shard of either kind, so that other load on the machine affects both alike. */
    private String round(ShardApplier.Listener watching) {
        Path scratch = directory.resolve("round-" + rounds++);
        RocksShardStores watchedStores = new RocksShardStores(
                scratch.resolve("watched"), resources, ROW_CACHE_BYTES, RocksShardStores.VERSIONS_BYTES);
        RocksShardStores aloneStores = new RocksShardStores(
                scratch.resolve("alone"), resources, ROW_CACHE_BYTES, RocksShardStores.VERSIONS_BYTES);
        try (ShardStore watchedStore = open(watchedStores);
                ShardStore aloneStore = open(aloneStores)) {
            ShardApplier first = applier(watchedStore, watching);
            ShardApplier second = applier(aloneStore, NOBODY);
            long watchedNanos = 0;
            long aloneNanos = 0;
            for (int i = 0; i < batches.size(); i++) {
                ChangeBatch batch = batches.get(i);
                if (i % 2 == 0) {
                    watchedNanos += apply(first, batch);
                    aloneNanos += apply(second, batch);
                } else {
                    aloneNanos += apply(second, batch);
                    watchedNanos += apply(first, batch);
                }
            }
            long changes = (long) batches.size() * ShardBatches.SIZE;
            return watchedNanos / changes + " " + aloneNanos / changes;
        } finally {
            watchedStores.drop(SHARD);
            aloneStores.drop(SHARD);
        }
    }

    private ShardStore open(RocksShardStores stores) {
        return stores.open(SHARD, new ShardOrigin("bench", "bench"));
    }

    private ShardApplier applier(ShardStore store, ShardApplier.Listener listener) {
        DesiredTable plan = Definitions.first(new Catalog(List.of(table)), clock.instant())
                .tables()
                .get(0);
        return ShardApplier.open(SHARD, plan, store, 0, clock, WriterClock.SAME, listener);
    }

    private long apply(ShardApplier applier, ChangeBatch batch) {
        long before = threads.getCurrentThreadCpuTime();
        applier.apply(batch, clock.instant());
        return threads.getCurrentThreadCpuTime() - before;
    }
}
