package dev.tidemark.rocks;

import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

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
                property(databases, "rocksdb.memtable.bytes", "Bytes in memtables.", "rocksdb.cur-size-all-mem-tables"),
                property(
                        databases, "rocksdb.live.sst.bytes", "Bytes in live SST files.", "rocksdb.live-sst-files-size"),
                property(
                        databases,
                        "rocksdb.pending.compaction.bytes",
                        "Bytes that compaction has yet to rewrite.",
                        "rocksdb.estimate-pending-compaction-bytes"),
                property(
                        databases,
                        "rocksdb.background.errors",
                        "Background errors since the databases were opened.",
                        "rocksdb.background-errors"),
                largest(
                        databases,
                        "rocksdb.block.cache.bytes",
                        "Bytes in the block cache, which all databases share.",
                        "rocksdb.block-cache-usage"),
                sum(databases, "rocksdb.wal.bytes", "Bytes of write-ahead log on disk.", RocksDatabase::walBytes));
    }

    private static GaugeValue property(
            Supplier<Collection<RocksDatabase>> databases, String name, String description, String property) {
        return sum(databases, name, description, database -> database.sumOfProperty(property));
    }

    private static GaugeValue sum(
            Supplier<Collection<RocksDatabase>> databases,
            String name,
            String description,
            ToDoubleFunction<RocksDatabase> value) {
        return new GaugeValue(
                name,
                description,
                () -> databases.get().stream()
                        .mapToDouble(database -> orZero(database, value))
                        .sum());
    }

    private static GaugeValue largest(
            Supplier<Collection<RocksDatabase>> databases, String name, String description, String property) {
        return new GaugeValue(
                name,
                description,
                () -> databases.get().stream()
                        .mapToDouble(database -> orZero(database, db -> db.property(property)))
                        .max()
                        .orElse(0));
    }

    private static double orZero(RocksDatabase database, ToDoubleFunction<RocksDatabase> value) {
        try {
            return value.applyAsDouble(database);
        } catch (StoreClosedException e) {
            return 0;
        }
    }
}
