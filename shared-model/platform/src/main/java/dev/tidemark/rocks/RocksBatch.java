package dev.tidemark.rocks;

import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;

/** Changes that are applied together or not at all, see {@link RocksDatabase#write}. */
public final class RocksBatch implements AutoCloseable {
    private final WriteBatch batch;

    public RocksBatch() {
        this(new WriteBatch());
    }

    RocksBatch(WriteBatch batch) {
        this.batch = batch;
    }

    public RocksBatch put(RocksTable table, byte[] key, byte[] value) {
        try {
            batch.put(table.handle(), key, value);
            return this;
        } catch (RocksDBException e) {
            throw new StoreException("Expected to add to a batch, but " + e.getMessage(), e);
        }
    }

    public RocksBatch delete(RocksTable table, byte[] key) {
        try {
            batch.delete(table.handle(), key);
            return this;
        } catch (RocksDBException e) {
            throw new StoreException("Expected to add to a batch, but " + e.getMessage(), e);
        }
    }

    /**
     * Removes all keys of a range in one step, without a mark for each of them.
     *
     * @throws IllegalArgumentException when the range has no end
     */
    public RocksBatch deleteRange(RocksTable table, KeyRange range) {
        KeyBytes end = range.toExclusive();
        if (end == null) {
            throw new IllegalArgumentException("Expected a range with an end, but got " + range);
        }
        try {
            batch.deleteRange(table.handle(), range.fromInclusive().array(), end.array());
            return this;
        } catch (RocksDBException e) {
            throw new StoreException("Expected to add to a batch, but " + e.getMessage(), e);
        }
    }

    WriteBatch batch() {
        return batch;
    }

    @Override
    public void close() {
        batch.close();
    }
}
