package dev.tidemark.rocks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** Many values at once. RocksJava gives nothing for a key whose block is damaged, as if the key were not there. */
final class MultiGet {
    private MultiGet() {}

    /**
     * Returns the values of keys in their order, with null where there is none. A key without a value is read again
     * alone, because only a single read reports a damaged block.
     */
    static List<byte @Nullable []> of(RocksDB database, ReadOptions options, RocksTable table, List<byte[]> keys)
            throws RocksDBException {
        List<byte @Nullable []> values = new ArrayList<>(database.multiGetAsList(
                options, new ArrayList<>(Collections.nCopies(keys.size(), table.handle())), keys));
        for (int i = 0; i < values.size(); i++) {
            if (values.get(i) == null) {
                values.set(i, database.get(table.handle(), options, keys.get(i)));
            }
        }
        return values;
    }
}
