package dev.tidemark.deploy.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.CatalogReader;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeCodec;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.UpsertKind;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.metrics.ServiceMeters;
import dev.tidemark.rocks.RocksResources;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowVersion;
import dev.tidemark.runtime.SteadyClock;
import dev.tidemark.worker.apply.ChangeBatch;
import dev.tidemark.worker.apply.Counts;
import dev.tidemark.worker.apply.ListenerGroup;
import dev.tidemark.worker.apply.LogRecord;
import dev.tidemark.worker.apply.Passage;
import dev.tidemark.worker.apply.ShardApplier;
import dev.tidemark.worker.clocks.WriterTime;
import dev.tidemark.worker.lag.Visibility;
import dev.tidemark.worker.metrics.WorkerMeters;
import dev.tidemark.worker.rocks.RocksShardStores;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardOrigin;
import dev.tidemark.worker.store.ShardStore;

/**
 * What it costs to watch the applying: batches are applied to a shard in RocksDB, with the worker's listeners attached and
 * without, in turn. Prints the nanoseconds of processor time that the applying thread takes for a change, a line a round:
 * attached, then detached. Processor time, because others who use the machine do not count in it.
 */
public final class ApplyCostMain {
    private static final String TABLE = "customers";
    private static final int BATCH = 500;
    private static final ShardApplier.Listener NOBODY = new Nobody();

    private final Clock clock = new SteadyClock();
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final TableDefinition table;
    private final Path directory;
    private final RocksResources resources;
    private final List<ChangeBatch> batches;
    private int rounds;

    private static final class Nobody implements ShardApplier.Listener {
        @Override
        public void applied(ShardId shard, Counts counts) {
            // Nobody looks.
        }

        @Override
        public void visible(ShardId shard, List<Passage> passages) {
            // Nobody looks.
        }
    }

    private ApplyCostMain(TableDefinition table, Path directory, RocksResources resources, List<ChangeBatch> batches) {
        this.table = table;
        this.directory = directory;
        this.resources = resources;
        this.batches = batches;
    }

    /** Arguments: catalog file, an empty directory, rounds, changes a round. */
    public static void main(String[] arguments) throws Exception {
        Catalog catalog = CatalogReader.read(Path.of(arguments[0]));
        TableDefinition table = catalog.table(TABLE).orElseThrow();
        Clock clock = new SteadyClock();
        try (ServiceMeters meters = new ServiceMeters();
                RocksResources resources = new RocksResources(128L << 20, 32L << 20)) {
            ListenerGroup watching =
                    new ListenerGroup(List.of(new Visibility(clock), new WorkerMeters(meters, catalog)));
            ApplyCostMain bench = new ApplyCostMain(
                    table, Path.of(arguments[1]), resources, batches(table, Integer.parseInt(arguments[3])));
            bench.round(watching);
            bench.round(NOBODY);
            for (int round = 0; round < Integer.parseInt(arguments[2]); round++) {
                boolean first = round % 2 == 0;
                long one = bench.round(first ? watching : NOBODY);
                long other = bench.round(first ? NOBODY : watching);
                System.out.println(first ? one + " " + other : other + " " + one);
            }
        }
    }

    private long round(ShardApplier.Listener listener) {
        RocksShardStores stores = new RocksShardStores(directory.resolve("round-" + rounds++), resources);
        ShardId id = new ShardId(TABLE, 0);
        try (ShardStore store = stores.open(
                id, new ShardOrigin("bench", "bench"), table.indexes().size())) {
            ShardApplier applier = new ShardApplier(id, table, store, 0, clock, WriterTime.SAME, listener);
            long before = threads.getCurrentThreadCpuTime();
            batches.forEach(batch -> applier.apply(batch, clock.instant()));
            return (threads.getCurrentThreadCpuTime() - before) / ((long) batches.size() * BATCH);
        } finally {
            stores.drop(id);
        }
    }

    private static List<ChangeBatch> batches(TableDefinition table, int changes) throws Exception {
        ChangeCodec codec = new ChangeCodec(TABLE);
        Instant time = new SteadyClock().instant();
        List<ChangeBatch> batches = new ArrayList<>();
        List<LogRecord> records = new ArrayList<>();
        for (long number = 0, offset = 0; offset < changes; number++) {
            RowDocument row = RowDocument.parse(Customer.ofChange(number).bytes());
            KeyBytes key = table.keyOf(row.tree());
            if (table.partitionOf(key) == 0) {
                RowVersion version = new RowVersion(1, offset + 1);
                records.add(new LogRecord(
                        offset,
                        codec.encode(new ChangeEvent.Upserted(
                                key, version, time.plus(Duration.ofNanos(1_000 * offset)), UpsertKind.UPDATE, row))));
                offset++;
                if (records.size() == BATCH) {
                    batches.add(new ChangeBatch(records, offset, OptionalInt.empty()));
                    records = new ArrayList<>();
                }
            }
        }
        return batches;
    }
}
