package dev.tidemark.rocks;

import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.rocksdb.Range;
import org.rocksdb.ReadOptions;
import org.rocksdb.ReadTier;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.SizeApproximationFlag;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;

import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;

/** A snapshot of a database: what is read through one view belongs to one moment. */
public final class RocksView implements AutoCloseable {
    private static final byte[] ABOVE_ALL_KEYS = filled(64);

    private final RocksDB database;
    private final Snapshot snapshot;
    private final ReadOptions options;
    private final ReadOptions inMemory;
    private final Runnable leave;

    RocksView(RocksDB database, Snapshot snapshot, Runnable leave) {
        this.database = database;
        this.snapshot = snapshot;
        this.options = new ReadOptions().setSnapshot(snapshot);
        this.inMemory = new ReadOptions().setSnapshot(snapshot).setReadTier(ReadTier.BLOCK_CACHE_TIER);
        this.leave = leave;
    }

    /** The value of a key, or null where there is none. */
    public byte @Nullable [] get(RocksTable table, byte[] key) {
        try {
            return database.get(table.handle(), options, key);
        } catch (RocksDBException e) {
            throw table.failed("read", e);
        }
    }

    /**
     * The first bytes of the value of a key, or null where there is none. The rest of a large value is not copied.
     *
     * @param most how many bytes to return of a longer value
     * @param inMemory whether to fail where a disk would have to be read
     */
    public byte @Nullable [] beginning(RocksTable table, byte[] key, int most, boolean inMemory) {
        try {
            byte[] bytes = new byte[most];
            int length = database.get(table.handle(), inMemory ? this.inMemory : options, key, bytes);
            if (length == RocksDB.NOT_FOUND) {
                return null;
            }
            return length < most ? Arrays.copyOf(bytes, length) : bytes;
        } catch (RocksDBException e) {
            throw table.failed("read", e);
        }
    }

    /** Entries of a range, from the low end or the high end. Close it before the view. */
    public RocksScan scan(RocksTable table, KeyRange range, Order order) {
        return scan(table, range, order, false);
    }

    /**
     * The same.
     *
     * @param inMemory whether to fail where a disk would have to be read
     */
    public RocksScan scan(RocksTable table, KeyRange range, Order order, boolean inMemory) {
        return RocksScan.open(database, table, range, order, snapshot, tier(inMemory), () -> {});
    }

    /**
     * The same for short scans that come often: keeps the native iterator for the next one, where the range allows it,
     * until {@link RocksTable#closeUnused}.
     */
    public RocksScan shortScan(RocksTable table, KeyRange range, Order order, boolean inMemory) {
        if (!RocksCursor.canServe(range, order)) {
            return scan(table, range, order, inMemory);
        }
        return RocksScan.reusing(database, table, range, snapshot, tier(inMemory));
    }

    private static ReadTier tier(boolean inMemory) {
        return inMemory ? ReadTier.BLOCK_CACHE_TIER : ReadTier.READ_ALL_TIER;
    }

    /**
     * About how many bytes the files of a table have; of now, not of the view.
     *
     * @throws TableDroppedException when it was dropped
     */
    public long approximateFileBytes(RocksTable table) {
        return approximateBytes(table, SizeApproximationFlag.INCLUDE_FILES);
    }

    /** The same of what is in memory and not in a file yet. */
    public long approximateMemoryBytes(RocksTable table) {
        return approximateBytes(table, SizeApproximationFlag.INCLUDE_MEMTABLES);
    }

    private long approximateBytes(RocksTable table, SizeApproximationFlag part) {
        table.enter();
        try (Slice low = new Slice(new byte[0]);
                Slice high = new Slice(ABOVE_ALL_KEYS)) {
            return database.getApproximateSizes(table.handle(), List.of(new Range(low, high)), part)[0];
        } finally {
            table.leave();
        }
    }

    @Override
    public void close() {
        options.close();
        inMemory.close();
        database.releaseSnapshot(snapshot);
        snapshot.close();
        leave.run();
    }

    private static byte[] filled(int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) 0xff);
        return bytes;
    }
}
