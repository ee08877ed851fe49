package dev.tidemark.rocks;

import java.nio.ByteBuffer;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.rocksdb.DirectSlice;
import org.rocksdb.ReadOptions;
import org.rocksdb.ReadTier;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Snapshot;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;

/**
 * A native iterator that serves one scan after the other: to make one costs about as much as to find the first entries
 * of a range. It begins at the low end of a range. Its lower bound cannot change, because RocksDB remembers of a file
 * that all its keys are above the bound. By one thread at a time.
 */
final class RocksCursor implements AutoCloseable {
    private static final int MOST_BOUND_BYTES = 512;

    /** The end of the range, which the native iterator looks at with every step. */
    private final ByteBuffer end = ByteBuffer.allocateDirect(MOST_BOUND_BYTES);

    private final DirectSlice upper = new DirectSlice(end, MOST_BOUND_BYTES);
    private final ReadOptions options;
    private final RocksIterator iterator;

    /** Makes one; the table must be in use until it is closed. */
    RocksCursor(RocksDB database, RocksTable table, ReadTier tier) {
        this.options = new ReadOptions().setReadTier(tier).setIterateUpperBound(upper);
        this.iterator = database.newIterator(table.handle(), options);
    }

    /** Whether cursors can serve a range: without an end, all removed entries beyond it would be passed. */
    static boolean canServe(KeyRange range, Order order) {
        @Nullable KeyBytes beyond = range.toExclusive();
        return order == Order.ASC && beyond != null && beyond.length() <= MOST_BOUND_BYTES;
    }

    /** Stands on the first entry of a range, of the moment of a snapshot, whenever the cursor was made. */
    RocksIterator begin(KeyRange range, Snapshot snapshot) throws RocksDBException {
        byte[] beyond = Objects.requireNonNull(range.toExclusive()).array();
        end.put(0, beyond);
        upper.setLength(beyond.length);
        iterator.refresh(snapshot);
        iterator.seek(range.fromInclusive().array());
        return iterator;
    }

    @Override
    public void close() {
        iterator.close();
        options.close();
        upper.close();
    }
}
