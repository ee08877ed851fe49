package dev.tidemark.deploy.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.stream.Stream;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.CatalogReader;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.index.KeyPart;
import dev.tidemark.index.Projection;
import dev.tidemark.index.RowFilter;
import dev.tidemark.rocks.RocksResources;
import dev.tidemark.runtime.SteadyClock;
import dev.tidemark.worker.apply.BackfillBatch;
import dev.tidemark.worker.apply.ChangeBatch;
import dev.tidemark.worker.apply.ShardApplier;
import dev.tidemark.worker.backfill.BackfillRows;
import dev.tidemark.worker.clocks.WriterClock;
import dev.tidemark.worker.rocks.RocksShardStores;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardOrigin;
import dev.tidemark.worker.store.ShardStore;

/**
 * What it costs to add entries to rows that are there, beside adding them with the rows: the same records go to a shard
 * whose table has the index from the beginning, and to one that has all rows and another index, and builds this one.
 * Prints the nanoseconds of processor time for a row, a line a round: built later, then applied live.
 */
public final class CopyCostMain {
    private static final String TABLE = "customers";
    private static final long ROW_CACHE_BYTES = 64L << 20;
    private static final ShardId SHARD = new ShardId(TABLE, 0);
    private static final IndexDefinition ADDED = new IndexDefinition(
            TABLE,
            "by_last_name_town",
            List.of(KeyPart.of("lastName"), KeyPart.of("town")),
            new Projection.All(),
            RowFilter.NONE);

    private final Clock clock = new SteadyClock();
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final TableDefinition table;
    private final Path directory;
    private final RocksResources resources;
    private final List<ChangeBatch> batches;
    private int rounds;

    private CopyCostMain(TableDefinition table, Path directory, RocksResources resources, List<ChangeBatch> batches) {
        this.table = table;
        this.directory = directory;
        this.resources = resources;
        this.batches = batches;
    }

    /** Arguments: catalog file, an empty directory, rounds, rows a round. */
    public static void main(String[] arguments) throws Exception {
        TableDefinition table =
                CatalogReader.read(Path.of(arguments[0])).table(TABLE).orElseThrow();
        List<ChangeBatch> batches = ShardBatches.of(
                table, number -> CustomerRow.ofRow(Math.toIntExact(number)), Integer.parseInt(arguments[3]), 1);
        try (RocksResources resources = new RocksResources(128L << 20, 32L << 20)) {
            CopyCostMain bench = new CopyCostMain(table, Path.of(arguments[1]), resources, batches);
            bench.round();
            for (int round = 0; round < Integer.parseInt(arguments[2]); round++) {
                System.out.println(bench.round());
            }
        }
    }

    private String round() {
        Path scratch = directory.resolve("copy-" + rounds++);
        RocksShardStores liveStores = new RocksShardStores(
                scratch.resolve("live"), resources, ROW_CACHE_BYTES, RocksShardStores.VERSIONS_BYTES);
        RocksShardStores builtStores = new RocksShardStores(
                scratch.resolve("built"), resources, ROW_CACHE_BYTES, RocksShardStores.VERSIONS_BYTES);
        Definitions before = Definitions.first(new Catalog(List.of(table)), clock.instant());
        Definitions after =
                before.changed(catalog(Stream.concat(table.indexes().stream(), Stream.of(ADDED))), clock.instant());
        Definitions alone = Definitions.first(catalog(Stream.of(ADDED)), clock.instant());
        try (ShardStore liveStore = liveStores.open(SHARD, new ShardOrigin("bench", "bench"));
                ShardStore builtStore = builtStores.open(SHARD, new ShardOrigin("bench", "bench"))) {
            ShardApplier built = applier(before, builtStore);
            batches.forEach(batch -> built.apply(batch, clock.instant()));
            boolean busy = true;
            while (busy) {
                busy = built.reconcile(plan(after));
            }
            ShardApplier live = applier(alone, liveStore);
            return compare(built, new BackfillRows(added(after)), live);
        } finally {
            liveStores.drop(SHARD);
            builtStores.drop(SHARD);
        }
    }

    /** Compares batch by batch in turn, so that other load on the machine affects both alike. */
    private String compare(ShardApplier built, BackfillRows reader, ShardApplier live) {
        long copying = 0;
        long applying = 0;
        for (ChangeBatch batch : batches) {
            long begin = threads.getCurrentThreadCpuTime();
            long from = batch.nextOffset() - batch.records().size();
            List<BackfillBatch.Row> rows = batch.records().stream()
                    .flatMap(record -> reader.read(record).stream())
                    .toList();
            built.copy(new BackfillBatch(from, rows, batch.nextOffset()));
            long middle = threads.getCurrentThreadCpuTime();
            live.apply(batch, clock.instant());
            copying += middle - begin;
            applying += threads.getCurrentThreadCpuTime() - middle;
        }
        long rows = (long) batches.size() * ShardBatches.SIZE;
        return copying / rows + " " + applying / rows;
    }

    private Catalog catalog(Stream<IndexDefinition> indexes) {
        return new Catalog(
                List.of(new TableDefinition(table.name(), table.primaryKey(), table.partitions(), indexes.toList())));
    }

    private static List<Generation> added(Definitions definitions) {
        return definitions.generations(TABLE).stream()
                .filter(generation -> generation.definition().equals(ADDED))
                .toList();
    }

    private static DesiredTable plan(Definitions definitions) {
        return definitions.tables().get(0);
    }

    private ShardApplier applier(Definitions definitions, ShardStore store) {
        return ShardApplier.open(
                SHARD, plan(definitions), store, 0, clock, WriterClock.SAME, new SilentApplyListener());
    }
}
