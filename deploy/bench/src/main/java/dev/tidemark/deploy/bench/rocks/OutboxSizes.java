package dev.tidemark.deploy.bench.rocks;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;
import dev.tidemark.rocks.RocksDatabase;
import dev.tidemark.rocks.RocksResources;
import dev.tidemark.rocks.RocksScan;

/** Reads the outbox in a backup of a writer. */
public final class OutboxSizes {
    private static final long CACHE_BYTES = 16L << 20;
    private static final long MEMTABLE_BYTES = 1L << 20;

    private OutboxSizes() {}

    /** The bytes of each change, in commit order: its key and its value, before compression. */
    public static List<Integer> of(Path backup) {
        List<Integer> sizes = new ArrayList<>();
        try (RocksResources resources = new RocksResources(CACHE_BYTES, MEMTABLE_BYTES);
                RocksDatabase database = RocksDatabase.openToRead(backup.resolve("facts"), resources);
                RocksScan scan = database.scan(database.table("outbox"), KeyRange.ALL, Order.ASC)) {
            for (; scan.isValid(); scan.next()) {
                sizes.add(scan.key().length + scan.value().length);
            }
        }
        return sizes;
    }
}
