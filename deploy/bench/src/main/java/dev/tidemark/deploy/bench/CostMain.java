package dev.tidemark.deploy.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeCodec;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.PublishTimings;
import dev.tidemark.change.UpsertKind;
import dev.tidemark.change.WireRecord;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.index.KeyPart;
import dev.tidemark.index.Projection;
import dev.tidemark.index.RowFilter;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.metrics.ServiceMeters;
import dev.tidemark.rocks.RocksResources;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowVersion;
import dev.tidemark.runtime.SteadyClock;
import dev.tidemark.settings.CatalogFile;
import dev.tidemark.worker.apply.BackfillBatch;
import dev.tidemark.worker.apply.ChangeBatch;
import dev.tidemark.worker.apply.ListenerGroup;
import dev.tidemark.worker.apply.LogRecord;
import dev.tidemark.worker.apply.ShardApplier;
import dev.tidemark.worker.backfill.BackfillRows;
import dev.tidemark.worker.clocks.WriterClock;
import dev.tidemark.worker.lag.Visibility;
import dev.tidemark.worker.metrics.WorkerMeters;
import dev.tidemark.worker.rocks.RocksShardStores;
import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardOrigin;
import dev.tidemark.worker.store.ShardStore;

/**
 * Applies the same batches to two shards in RocksDB, in turn, in the ways that {@link Cost.Work} names. Each round
 * prints a line with the nanoseconds of processor time for a change in both ways. Other users of the machine do not
 * count in processor time.
 */
public final class CostMain {
    private static final String TABLE = "customers";
    private static final int CHANGES = 100_000;
    /** What a shard gets of a request with 50 rows, when there are 4 shards: these share their times. */
    private static final int ALIKE = 12;

    private static final long ROW_CACHE_BYTES = 64L << 20;
    private static final ShardId SHARD = new ShardId(TABLE, 0);
    private static final ShardApplier.Listener SILENT = new ListenerGroup(List.of());
    private static final IndexDefinition ADDED = new IndexDefinition(
            TABLE,
            "by_last_name_town",
            List.of(KeyPart.of("lastName"), KeyPart.of("town")),
            new Projection.All(),
            RowFilter.NONE);
    /** Records in a batch. */
    private static final int BATCH_SIZE = 500;

    private final Clock clock = new SteadyClock();
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final TableDefinition table;
    private final Path directory;
    private final RocksResources resources;
    private int rounds;

    private CostMain(Catalog catalog, Path directory, RocksResources resources) {
        this.table = catalog.table(TABLE).orElseThrow();
        this.directory = directory;
        this.resources = resources;
    }

    /** Arguments: the name of the work, catalog file, an empty directory, rounds. */
    public static void main(String[] arguments) throws Exception {
        Catalog catalog = CatalogFile.read(Path.of(arguments[1]));
        try (ServiceMeters meters = new ServiceMeters();
                RocksResources resources = new RocksResources(128L << 20, 32L << 20)) {
            CostMain costs = new CostMain(catalog, Path.of(arguments[2]), resources);
            Supplier<String> round = switch (Cost.Work.valueOf(arguments[0])) {
                case WATCH -> costs.watching(meters);
                case COPY -> costs.copying();
            };
            // The first round warms up.
            int rounds = 1 + Integer.parseInt(arguments[3]);
            Stream.generate(round).limit(rounds).skip(1).forEach(System.out::println);
        }
    }

    /** Rounds with listeners and without; both shards take each batch, so that other load affects both alike. */
    private Supplier<String> watching(ServiceMeters meters) throws Exception {
        List<ChangeBatch> batches = batches(table, CustomerRow::ofChange, CHANGES, ALIKE);
        Definitions definitions = Definitions.first(new Catalog(List.of(table)), clock.instant());
        ListenerGroup listeners =
                new ListenerGroup(List.of(new Visibility(clock), new WorkerMeters(meters, () -> definitions)));
        return () -> {
            rounds++;
            try (Shard watchedShard = new Shard("watched");
                    Shard aloneShard = new Shard("alone")) {
                ShardApplier watched = watchedShard.applier(definitions, listeners);
                ShardApplier alone = aloneShard.applier(definitions, SILENT);
                long watchedNanos = 0;
                long aloneNanos = 0;
                for (int i = 0; i < batches.size(); i++) {
                    ChangeBatch batch = batches.get(i);
                    watchedNanos += i % 2 == 0 ? apply(watched, batch) : 0;
                    aloneNanos += apply(alone, batch);
                    watchedNanos += i % 2 == 0 ? 0 : apply(watched, batch);
                }
                return line(watchedNanos, aloneNanos, batches);
            }
        };
    }

    /** Rounds with the index built over rows that are there, and with the index there from the beginning. */
    private Supplier<String> copying() throws Exception {
        List<ChangeBatch> batches = batches(table, number -> CustomerRow.ofRow(Math.toIntExact(number)), CHANGES, 1);
        Definitions before = Definitions.first(new Catalog(List.of(table)), clock.instant());
        Definitions after =
                before.changed(catalog(Stream.concat(table.indexes().stream(), Stream.of(ADDED))), clock.instant());
        Definitions alone = Definitions.first(catalog(Stream.of(ADDED)), clock.instant());
        return () -> {
            rounds++;
            try (Shard builtShard = new Shard("built");
                    Shard liveShard = new Shard("live")) {
                ShardApplier built = builtShard.applier(before, SILENT);
                batches.forEach(batch -> built.apply(batch, clock.instant()));
                boolean busy = true;
                while (busy) {
                    busy = built.reconcile(plan(after));
                }
                return compare(built, new BackfillRows(added(after)), liveShard.applier(alone, SILENT), batches);
            }
        };
    }

    private String compare(ShardApplier built, BackfillRows reader, ShardApplier live, List<ChangeBatch> batches) {
        long copying = 0;
        long applying = 0;
        Map<Long, Instant> builds = builds(built);
        for (ChangeBatch batch : batches) {
            long begin = threads.getCurrentThreadCpuTime();
            long from = batch.nextOffset() - batch.records().size();
            List<BackfillBatch.Row> rows = batch.records().stream()
                    .flatMap(record -> reader.read(record).stream())
                    .toList();
            built.copy(new BackfillBatch(builds, from, rows, batch.nextOffset()));
            copying += threads.getCurrentThreadCpuTime() - begin;
            applying += apply(live, batch);
        }
        return line(copying, applying, batches);
    }

    private static Map<Long, Instant> builds(ShardApplier built) {
        return built.status().checkpoint().generations().values().stream()
                .collect(Collectors.toMap(
                        GenerationStatus::id, status -> status.phase().since()));
    }

    private long apply(ShardApplier applier, ChangeBatch batch) {
        long before = threads.getCurrentThreadCpuTime();
        applier.apply(batch, clock.instant());
        return threads.getCurrentThreadCpuTime() - before;
    }

    private static String line(long first, long second, List<ChangeBatch> batches) {
        long changes = (long) batches.size() * BATCH_SIZE;
        return first / changes + " " + second / changes;
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

    /** A shard of one round; its files are gone afterwards. */
    private final class Shard implements AutoCloseable {
        private final RocksShardStores stores;
        private final ShardStore store;

        Shard(String name) {
            this.stores = new RocksShardStores(
                    directory.resolve("round-" + rounds).resolve(name),
                    resources,
                    ROW_CACHE_BYTES,
                    RocksShardStores.VERSIONS_BYTES);
            this.store = stores.open(SHARD, new ShardOrigin("bench", "bench"));
        }

        ShardApplier applier(Definitions definitions, ShardApplier.Listener listener) {
            Instant now = clock.instant();
            return ShardApplier.open(SHARD, plan(definitions), store, 0, now, clock, WriterClock.SAME, listener);
        }

        @Override
        public void close() {
            store.close();
            stores.drop(SHARD);
        }
    }

    /**
     * Batches of changes to the rows that belong to the first partition.
     *
     * @param customers the row that the change of a number writes
     * @param changes how many there are in all
     * @param alike how many of them one commit made
     */
    private static List<ChangeBatch> batches(
            TableDefinition table, LongFunction<CustomerRow> customers, int changes, int alike) throws Exception {
        ChangeCodec codec = new ChangeCodec(table.name());
        Instant time = new SteadyClock().instant();
        List<ChangeBatch> batches = new ArrayList<>();
        List<LogRecord> records = new ArrayList<>();
        for (long number = 0, offset = 0; offset < changes; number++) {
            RowDocument row = RowDocument.parse(customers.apply(number).bytes());
            KeyBytes key = table.keyOf(row.tree());
            if (table.partitionOf(key) == 0) {
                RowVersion version = new RowVersion(1, offset + 1);
                long commit = offset / alike;
                Instant committed = time.plus(Duration.ofNanos(1_000 * commit));
                ChangeEvent event = new ChangeEvent.Upserted(key, version, committed, UpsertKind.UPDATE, row);
                records.add(new LogRecord(offset, published(codec.encode(event), commit)));
                offset++;
                if (records.size() == BATCH_SIZE) {
                    batches.add(new ChangeBatch(records, offset, OptionalInt.empty()));
                    records = new ArrayList<>();
                }
            }
        }
        return batches;
    }

    /** With the times that the relay adds to a change: like the commit time, the same for all changes of one commit. */
    private static WireRecord published(WireRecord record, long commit) {
        Map<String, String> headers = new HashMap<>(record.headers());
        headers.put(PublishTimings.HEADER, new PublishTimings(100 + commit % 7, 200 + commit % 11).text());
        return new WireRecord(record.key(), record.value(), headers);
    }
}
