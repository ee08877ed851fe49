package dev.tidemark.worker.rocks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.tidemark.cache.RowCache;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.rocks.PackedBatch;
import dev.tidemark.rocks.RocksBatch;
import dev.tidemark.rocks.RocksTable;
import dev.tidemark.worker.store.IndexMutation;
import dev.tidemark.worker.store.QuarantinedName;
import dev.tidemark.worker.store.QuarantinedRecord;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.ShardBatch;

/**
 * Lays out batches in the same memory each time. A committing thread takes an idle instance and returns it. So there
 * are at most as many instances as concurrent commits, for any number of shards. For one thread at a time.
 */
final class ShardWrites {
    /** More room than this is not kept from one batch to the next. */
    private static final int MOST_KEPT = 8 << 20;

    private final PackedBatch packed = new PackedBatch();
    private final List<byte[]> rowKeys = new ArrayList<>();

    /**
     * The row states of the batch one after the other, and where each begins; the last number is where the last ends.
     */
    private RecordWriter rowStates = new RecordWriter();

    private int[] begins = new int[1 << 10];

    /** A batch for the database with these tables. */
    RocksBatch lay(ShardBatch changes, ShardTables tables) {
        clear();
        changes.mutations().forEach(mutation -> add(mutation, tables));
        for (Map.Entry<KeyBytes, Optional<RowState>> row : changes.rows().entrySet()) {
            add(row.getKey().array(), row.getValue(), tables.rows);
        }
        changes.quarantine().forEach((key, record) -> add(key, record, tables));
        packed.put(tables.meta, ShardTables.CHECKPOINT_KEY, CheckpointCodec.write(changes.checkpoint()));
        return packed.toBatch();
    }

    /** The rows of the batch laid out last. */
    List<byte[]> rowKeys() {
        return rowKeys;
    }

    /** Passes the row states of the last batch to the cache of its shard, once the batch is in the database. */
    void passTo(RowCache cache) {
        for (int i = 0; i < rowKeys.size(); i++) {
            cache.wrote(rowKeys.get(i), rowStates.array(), begins[i], begins[i + 1] - begins[i]);
        }
        cache.fit();
    }

    private void clear() {
        packed.clear();
        rowKeys.clear();
        rowStates.clear();
        if (rowStates.array().length > MOST_KEPT) {
            rowStates = new RecordWriter();
        }
    }

    private void add(byte[] key, Optional<RowState> state, RocksTable rows) {
        int row = rowKeys.size();
        if (row + 1 == begins.length) {
            begins = Arrays.copyOf(begins, begins.length * 2);
        }
        rowKeys.add(key);
        begins[row] = rowStates.size();
        if (state.isPresent()) {
            RowStateCodec.write(rowStates, state.get());
            packed.put(rows, key, rowStates.array(), begins[row], rowStates.size() - begins[row]);
        } else {
            packed.delete(rows, key);
        }
        begins[row + 1] = rowStates.size();
    }

    private void add(KeyBytes key, Optional<QuarantinedRecord> record, ShardTables tables) {
        if (record.isPresent()) {
            packed.put(tables.quarantine, key.array(), QuarantineCodec.write(record.get()));
            byte[] name = QuarantineCodec.write(QuarantinedName.of(record.get()));
            packed.put(tables.quarantined, ShardTables.nameKey(key), name);
        } else {
            packed.delete(tables.quarantine, key.array());
            packed.delete(tables.quarantined, ShardTables.nameKey(key));
        }
    }

    private void add(IndexMutation mutation, ShardTables tables) {
        long generation = mutation.generation();
        if (mutation instanceof IndexMutation.PutEntry put) {
            packed.put(
                    table(generation, tables), put.key().array(), put.carried().array());
        } else if (mutation instanceof IndexMutation.RemoveEntry gone) {
            packed.delete(table(generation, tables), gone.key().array());
        } else if (mutation instanceof IndexMutation.Refuse refused) {
            byte[] key = ShardTables.refusedKey(generation, refused.key()).array();
            packed.put(
                    tables.refused,
                    key,
                    new RecordWriter()
                            .version(refused.version())
                            .text(refused.reason())
                            .toBytes());
        } else if (mutation instanceof IndexMutation.Accept accepted) {
            packed.delete(
                    tables.refused,
                    ShardTables.refusedKey(generation, accepted.key()).array());
        } else {
            throw new AssertionError("unknown kind of mutation: " + mutation);
        }
    }

    private static RocksTable table(long generation, ShardTables tables) {
        return tables.generation(generation)
                .orElseThrow(() -> new IllegalArgumentException(
                        "Expected one of the generations " + tables.generations() + ", but got " + generation));
    }
}
