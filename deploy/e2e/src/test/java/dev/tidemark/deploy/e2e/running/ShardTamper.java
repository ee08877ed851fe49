package dev.tidemark.deploy.e2e.running;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;
import dev.tidemark.rocks.RocksBatch;
import dev.tidemark.rocks.RocksDatabase;
import dev.tidemark.rocks.RocksResources;
import dev.tidemark.rocks.RocksScan;
import dev.tidemark.rocks.RocksTable;

/** Changes entries of a shard while its worker is stopped, behind the back of everything that keeps account of them. */
public final class ShardTamper implements AutoCloseable {
    private static final byte[] FORMAT = "format".getBytes(StandardCharsets.UTF_8);
    private static final long CACHE_BYTES = 8 << 20;
    private static final long MEMTABLE_BYTES = 1 << 20;

    private final RocksResources resources;
    private final RocksDatabase database;

    private ShardTamper(RocksResources resources, RocksDatabase database) {
        this.resources = resources;
        this.database = database;
    }

    /**
     * Opens a shard.
     *
     * @param workerData where the worker keeps its data
     */
    public static ShardTamper open(Path workerData, String table, int partition) {
        RocksResources resources = new RocksResources(CACHE_BYTES, MEMTABLE_BYTES);
        Path shard = workerData.resolve("shards").resolve(table + "-" + partition);
        return new ShardTamper(resources, RocksDatabase.open(shard, List.of(), resources));
    }

    /** Every entry of a generation, with what it carries. */
    public List<Map.Entry<KeyBytes, KeyBytes>> entries(long generation) {
        List<Map.Entry<KeyBytes, KeyBytes>> entries = new ArrayList<>();
        try (RocksScan scan = database.scan(table(generation), KeyRange.ALL, Order.ASC)) {
            for (; scan.isValid(); scan.next()) {
                entries.add(Map.entry(KeyBytes.wrap(scan.key()), KeyBytes.wrap(scan.value())));
            }
        }
        return entries;
    }

    public void put(long generation, KeyBytes key, KeyBytes carried) {
        try (RocksBatch batch = new RocksBatch()) {
            database.write(batch.put(table(generation), key.array(), carried.array()), true);
        }
    }

    public void remove(long generation, KeyBytes key) {
        try (RocksBatch batch = new RocksBatch()) {
            database.write(batch.delete(table(generation), key.array()), true);
        }
    }

    /** The number of the format that the shard has. */
    public int format() {
        return Objects.requireNonNull(database.get(database.table("meta"), FORMAT))[0];
    }

    /** Gives it another one. */
    public void setFormat(int number) {
        database.put(database.table("meta"), FORMAT, new byte[] {(byte) number}, true);
    }

    @Override
    public void close() {
        database.close();
        resources.close();
    }

    private RocksTable table(long generation) {
        return database.table("index-" + generation);
    }
}
