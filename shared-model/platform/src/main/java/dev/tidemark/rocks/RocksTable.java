package dev.tidemark.rocks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.ReadTier;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * A column family of an open database. A dropped one keeps its files until the last scan of it is closed, and its
 * native handle with them.
 */
public final class RocksTable {
    private final String name;
    private final ColumnFamilyHandle handle;
    private final int id;
    private final Consumer<String> damaged;
    private final CursorPool inMemory = new CursorPool();
    private final CursorPool anywhere = new CursorPool();
    private final ReadTriggeredCompaction compaction = new ReadTriggeredCompaction();
    private int users;
    private boolean dropped;

    /**
     * A table.
     *
     * @param damaged is called with damage that a read meets
     */
    RocksTable(String name, ColumnFamilyHandle handle, Consumer<String> damaged) {
        this.name = name;
        this.handle = handle;
        this.id = handle.getID();
        this.damaged = damaged;
    }

    public String name() {
        return name;
    }

    /** The native handle; a freed one would end the process. */
    ColumnFamilyHandle handle() {
        if (!handle.isOwningHandle()) {
            throw new StoreClosedException("the database of table " + name);
        }
        return handle;
    }

    /**
     * Returns the values of keys in their order, with null where there is none. RocksJava gives nothing for a key whose
     * block is damaged, as if the key were not there. So a key without a value is read again alone, because only a
     * single read reports a damaged block.
     */
    List<byte @Nullable []> multiGet(RocksDB database, ReadOptions options, List<byte[]> keys) throws RocksDBException {
        List<byte @Nullable []> values = new ArrayList<>(
                database.multiGetAsList(options, new ArrayList<>(Collections.nCopies(keys.size(), handle())), keys));
        for (int i = 0; i < values.size(); i++) {
            if (values.get(i) == null) {
                values.set(i, database.get(handle(), options, keys.get(i)));
            }
        }
        return values;
    }

    /** What a read throws that failed; damage has been reported. */
    StoreException failed(String action, RocksDBException e) {
        return new StoreException("Expected to " + action + " " + name + ", but " + e.getMessage(), e)
                .reportedTo(damaged);
    }

    /** The cursors that wait for another scan of what is in memory, or of everything. */
    CursorPool cursors(ReadTier tier) {
        return tier == ReadTier.BLOCK_CACHE_TIER ? inMemory : anywhere;
    }

    /**
     * Closes what short scans have left for the next ones, where none has needed it since the last call. While the
     * table is written to, it must be called now and then, because it keeps what was replaced.
     */
    public void closeUnused() {
        inMemory.closeUnused();
        anywhere.closeUnused();
    }

    /**
     * Merges the table into one run, if its short scans have become worth it.
     *
     * @return whether they have
     */
    boolean compactIfOftenRead(RocksDB database) throws RocksDBException {
        if (!tryEnter()) {
            return false;
        }
        try {
            return compaction.run(database, handle, inMemory.taken() + anywhere.taken());
        } finally {
            leave();
        }
    }

    /** Ends a merge under way; none comes after it. */
    void cancelCompaction() {
        compaction.cancel();
    }

    /** The number by which batches name it; never given to another table of the database. */
    int id() {
        return id;
    }

    /** Begins a use that {@link #leave()} ends; false, and none begun, where the table was dropped. */
    synchronized boolean tryEnter() {
        if (dropped) {
            return false;
        }
        users++;
        return true;
    }

    /**
     * The same.
     *
     * @throws TableDroppedException when the table was dropped
     */
    void enter() {
        if (!tryEnter()) {
            throw new TableDroppedException(name);
        }
    }

    synchronized void leave() {
        users--;
        closeIfDone();
    }

    /** Takes no more users; the last one closes the handle. */
    synchronized void drop() {
        dropped = true;
        closeCursors();
        closeIfDone();
    }

    /** Closes the handle of a table that is no longer used. */
    void close() {
        closeCursors();
        compaction.close();
        handle().close();
    }

    private void closeCursors() {
        inMemory.close();
        anywhere.close();
    }

    private void closeIfDone() {
        if (dropped && users == 0) {
            compaction.close();
            handle.close();
        }
    }
}
