package dev.tidemark.rocks;

import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.ReadTier;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;

import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;

/**
 * Walks the entries of a range. Stands on the first entry when opened; use as
 * {@code for (; scan.isValid(); scan.next())}.
 */
public final class RocksScan implements AutoCloseable {
    private final RocksTable table;
    private final ReadOptions options;
    private final Slice lower;
    private final @Nullable Slice upper;
    private final RocksIterator iterator;
    private final Order order;
    private final Runnable leave;

    /**
     * Opens a scan.
     *
     * @param leave called once the scan is closed
     * @throws TableDroppedException when the table was dropped
     */
    RocksScan(
            RocksDB database,
            RocksTable table,
            KeyRange range,
            Order order,
            @Nullable Snapshot snapshot,
            ReadTier tier,
            Runnable leave) {
        table.enter();
        this.table = table;
        this.order = order;
        this.leave = leave;
        this.lower = new Slice(range.fromInclusive().array());
        this.upper = range.toExclusive() == null
                ? null
                : new Slice(range.toExclusive().array());
        this.options = new ReadOptions().setIterateLowerBound(lower).setReadTier(tier);
        if (upper != null) {
            options.setIterateUpperBound(upper);
        }
        if (snapshot != null) {
            options.setSnapshot(snapshot);
        }
        this.iterator = database.newIterator(table.handle(), options);
        if (order == Order.ASC) {
            iterator.seekToFirst();
        } else {
            iterator.seekToLast();
        }
    }

    /**
     * Whether the scan stands on an entry.
     *
     * @throws StoreException when the scan ended because of a failure rather than at the end of the range
     */
    public boolean isValid() {
        if (iterator.isValid()) {
            return true;
        }
        try {
            iterator.status();
        } catch (RocksDBException e) {
            throw new StoreException("Expected to scan " + table.name() + ", but " + e.getMessage(), e);
        }
        return false;
    }

    public byte[] key() {
        return iterator.key();
    }

    public byte[] value() {
        return iterator.value();
    }

    /** Moves on in the order of the scan. */
    public void next() {
        if (order == Order.ASC) {
            iterator.next();
        } else {
            iterator.prev();
        }
    }

    @Override
    public void close() {
        iterator.close();
        options.close();
        lower.close();
        if (upper != null) {
            upper.close();
        }
        table.leave();
        leave.run();
    }
}
