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

    ColumnFamilyHandle handle() {
        return handle;
    }
}
