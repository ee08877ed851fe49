package dev.tidemark.rocks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Snapshot;

import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;

/** A snapshot of a database: what is read through one view belongs to one moment. */
public final class RocksView implements AutoCloseable {
    private final RocksDB database;
    private final Snapshot snapshot;
    private final ReadOptions options;
    private final Runnable leave;

    RocksView(RocksDB database, Snapshot snapshot, Runnable leave) {
        this.database = database;
        this.snapshot = snapshot;
        this.options = new ReadOptions().setSnapshot(snapshot);
        this.leave = leave;
    }

    /** The value of a key, or null where there is none. */
    public byte @Nullable [] get(RocksTable table, byte[] key) {
        try {
            return database.get(table.handle(), options, key);
        } catch (RocksDBException e) {
            throw new StoreException("Expected to read " + table.name() + ", but " + e.getMessage(), e);
        }
    }

    /** The values of keys, in their order, null where there is none. */
    public List<byte @Nullable []> multiGet(RocksTable table, List<byte[]> keys) {
        try {
            return database.multiGetAsList(
                    options, new ArrayList<>(Collections.nCopies(keys.size(), table.handle())), keys);
        } catch (RocksDBException e) {
            throw new StoreException("Expected to read " + table.name() + ", but " + e.getMessage(), e);
        }
    }

    /** Entries of a range, from the low end or the high end. Close it before the view. */
    public RocksScan scan(RocksTable table, KeyRange range, Order order) {
        return RocksScan.open(database, table, range, order, snapshot, () -> {});
    }

    @Override
    public void close() {
        options.close();
        database.releaseSnapshot(snapshot);
        snapshot.close();
        leave.run();
    }
}
