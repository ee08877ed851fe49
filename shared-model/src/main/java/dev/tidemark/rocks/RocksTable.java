package dev.tidemark.rocks;

import org.rocksdb.ColumnFamilyHandle;

/**
 * A column family of an open database. A dropped one keeps its files until the last scan of it is closed, and its
 * native handle with them.
 */
public final class RocksTable {
    private final String name;
    private final ColumnFamilyHandle handle;
    private final int id;
    private int users;
    private boolean dropped;

    RocksTable(String name, ColumnFamilyHandle handle) {
        this.name = name;
        this.handle = handle;
        this.id = handle.getID();
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
        closeIfDone();
    }

    private void closeIfDone() {
        if (dropped && users == 0) {
            handle.close();
        }
    }
}
