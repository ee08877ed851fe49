package dev.tidemark.rocks;

import org.rocksdb.ColumnFamilyHandle;

/** A column family of an open database. */
public final class RocksTable {
    private final String name;
    private final ColumnFamilyHandle handle;

    RocksTable(String name, ColumnFamilyHandle handle) {
        this.name = name;
        this.handle = handle;
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
}
