package dev.tidemark.rocks;

import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

import dev.tidemark.runtime.GaugeValue;

/** What RocksDB says about itself, summed over the databases of a process. */
public final class RocksGauges {
    private RocksGauges() {}

    /**
     * The readings.
     *
     * @param databases gives the databases open at the moment; one that closes meanwhile is left out
     */
    public static List<GaugeValue> of(Supplier<Collection<RocksDatabase>> databases) {
        return List.of(
                sum(databases, "rocksdb.memtable.bytes", "Bytes in memtables.", "rocksdb.cur-size-all-mem-tables"),
                sum(databases, "rocksdb.live.sst.bytes", "Bytes in live SST files.", "rocksdb.live-sst-files-size"),
                sum(
                        databases,
                        "rocksdb.pending.compaction.bytes",
                        "Bytes that compaction has yet to rewrite.",
                        "rocksdb.estimate-pending-compaction-bytes"),
                sum(
                        databases,
                        "rocksdb.background.errors",
                        "Background errors since the databases were opened.",
                        "rocksdb.background-errors"),
                new GaugeValue(
                        "rocksdb.block.cache.bytes",
                        "Bytes in the block cache, which all databases share.",
                        () -> values(databases, database -> database.property("rocksdb.block-cache-usage"))
                                .max()
                                .orElse(0)),
                new GaugeValue(
                        "rocksdb.wal.bytes",
                        "Bytes of write-ahead log on disk.",
                        () -> values(databases, RocksDatabase::walBytes).sum()));
    }

    private static GaugeValue sum(
            Supplier<Collection<RocksDatabase>> databases, String name, String description, String property) {
        return new GaugeValue(
                name,
                description,
                () -> values(databases, database -> database.sumOfProperty(property))
                        .sum());
    }

    private static DoubleStream values(
            Supplier<Collection<RocksDatabase>> databases, ToDoubleFunction<RocksDatabase> value) {
        return databases.get().stream().mapToDouble(database -> {
            try {
                return value.applyAsDouble(database);
            } catch (StoreClosedException e) {
                return 0;
            }
        });
    }
}
