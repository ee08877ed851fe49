package dev.tidemark.deploy.bench.rocks;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

import dev.tidemark.deploy.bench.EntryTable;
import dev.tidemark.deploy.bench.EntryTable.EntryWrites;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.rocks.RocksBatch;
import dev.tidemark.rocks.RocksDatabase;
import dev.tidemark.rocks.RocksResources;
import dev.tidemark.rocks.RocksTable;

/** An index in RocksDB with the options that Tidemark's shards have, its log on and not synced, as theirs. */
public final class RocksEntryTable implements EntryTable {
    private static final long CACHE_BYTES = 256L << 20;
    private static final long MEMTABLE_BYTES = 32L << 20;

    private final RocksResources resources;
    private final RocksDatabase database;
    private final RocksTable rows;
    private final RocksTable entries;
    private final RocksTable offsets;

    /** A new one in an empty directory. */
    public RocksEntryTable(Path directory) {
        this.resources = new RocksResources(CACHE_BYTES, MEMTABLE_BYTES);
        this.database = RocksDatabase.open(directory, List.of("rows", "entries", "offsets"), resources);
        this.rows = database.table("rows");
        this.entries = database.table("entries");
        this.offsets = database.table("offsets");
    }

    @Override
    public Map<KeyBytes, KeyBytes> entriesOf(List<KeyBytes> keys) {
        Map<KeyBytes, KeyBytes> found = new HashMap<>();
        Iterator<KeyBytes> key = keys.iterator();
        for (byte[] entry :
                database.multiGet(rows, keys.stream().map(KeyBytes::array).toList())) {
            KeyBytes row = key.next();
            if (entry != null) {
                found.put(row, KeyBytes.wrap(entry));
            }
        }
        return found;
    }

    @Override
    public void write(EntryWrites writes) {
        try (RocksBatch batch = new RocksBatch()) {
            for (EntryWrites.Change change : writes.changes()) {
                put(change, batch);
            }
            writes.offsets()
                    .forEach((partition, offset) -> batch.put(
                            offsets,
                            ByteBuffer.allocate(Integer.BYTES).putInt(partition).array(),
                            ByteBuffer.allocate(Long.BYTES).putLong(offset).array()));
            database.write(batch, false);
        }
    }

    @Override
    public void close() {
        database.close();
        resources.close();
    }

    private void put(EntryWrites.Change change, RocksBatch batch) {
        KeyBytes gone = change.gone();
        if (gone != null) {
            batch.delete(entries, gone.array());
        }
        KeyBytes entry = change.entry();
        if (entry == null) {
            batch.delete(rows, change.row().array());
        } else {
            batch.put(entries, entry.array(), change.carried().array());
            batch.put(rows, change.row().array(), entry.array());
        }
    }
}
