package dev.tidemark.rocks;

import java.util.function.Consumer;

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
    private final RocksIterator iterator;
    private final Order order;
    private final Consumer<RocksScan> end;
    private boolean failed;

    /**
     * A scan that stands on its first entry.
     *
     * @param end called once the scan is closed
     */
    private RocksScan(RocksTable table, RocksIterator iterator, Order order, Consumer<RocksScan> end) {
        this.table = table;
        this.iterator = iterator;
        this.order = order;
        this.end = end;
    }

    /**
     * Opens a scan that makes its own iterator.
     *
     * @param leave called once the scan is closed
     * @throws TableDroppedException when the table was dropped
     */
    static RocksScan open(
            RocksDB database,
            RocksTable table,
            KeyRange range,
            Order order,
            @Nullable Snapshot snapshot,
            ReadTier tier,
            Runnable leave) {
        table.enter();
        Slice lower = new Slice(range.fromInclusive().array());
        Slice upper = range.toExclusive() == null
                ? null
                : new Slice(range.toExclusive().array());
        ReadOptions options = new ReadOptions().setIterateLowerBound(lower).setReadTier(tier);
        if (upper != null) {
            options.setIterateUpperBound(upper);
        }
        if (snapshot != null) {
            options.setSnapshot(snapshot);
        }
        RocksIterator iterator = database.newIterator(table.handle(), options);
        if (order == Order.ASC) {
            iterator.seekToFirst();
        } else {
            iterator.seekToLast();
        }
        return new RocksScan(table, iterator, order, scan -> {
            iterator.close();
            options.close();
            lower.close();
            if (upper != null) {
                upper.close();
            }
            table.leave();
            leave.run();
        });
    }

    /**
     * Opens a scan that {@link RocksCursor#canServe}, with a cursor that waits for one, if there is any.
     *
     * @throws TableDroppedException when the table was dropped
     */
    static RocksScan reusing(RocksDB database, RocksTable table, KeyRange range, Snapshot snapshot, ReadTier tier) {
        table.enter();
        CursorPool pool = table.cursors(tier);
        RocksCursor waiting = pool.take();
        RocksCursor cursor = waiting == null ? new RocksCursor(database, table, tier) : waiting;
        try {
            return new RocksScan(table, cursor.begin(range, snapshot), Order.ASC, scan -> {
                if (scan.failed) {
                    cursor.close();
                } else {
                    pool.giveBack(cursor);
                }
                table.leave();
            });
        } catch (RocksDBException e) {
            cursor.close();
            table.leave();
            throw table.failed("scan", e);
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
            failed = true;
            throw table.failed("scan", e);
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
        end.accept(this);
    }
}
