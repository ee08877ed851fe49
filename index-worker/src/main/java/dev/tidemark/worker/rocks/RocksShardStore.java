package dev.tidemark.worker.rocks;

import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.rocks.RocksBatch;
import dev.tidemark.rocks.RocksDatabase;
import dev.tidemark.rocks.RocksTable;
import dev.tidemark.worker.store.IndexMutation;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.ShardBatch;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardDamagedException;
import dev.tidemark.worker.store.ShardOrigin;
import dev.tidemark.worker.store.ShardStore;
import dev.tidemark.worker.store.ShardView;

/** A shard in a database of its own. */
final class RocksShardStore implements ShardStore {
    private final RocksDatabase database;
    private final ShardTables tables;
    private final Runnable onClose;

    RocksShardStore(RocksDatabase database, ShardTables tables, Runnable onClose) {
        this.database = database;
        this.tables = tables;
        this.onClose = onClose;
    }

    @Override
    public ShardOrigin origin() {
        byte[] stored = Failures.named(() -> database.get(tables.meta, ShardTables.ORIGIN_KEY));
        if (stored == null) {
            throw new ShardDamagedException("Expected the origin of the shard at " + database.path());
        }
        return CheckpointCodec.readOrigin(stored);
    }

    @Override
    public ShardCheckpoint checkpoint() {
        return checkpoint(
                Failures.named(() -> database.get(tables.meta, ShardTables.CHECKPOINT_KEY)), tables.indexes.size());
    }

    @Override
    public List<Optional<RowState>> rowStates(List<KeyBytes> primaryKeys) {
        List<byte[]> keys = primaryKeys.stream().map(KeyBytes::array).toList();
        return Failures.named(() -> database.multiGet(tables.rows, keys).stream()
                .map(bytes -> Optional.ofNullable(bytes).map(RowStateCodec::read))
                .toList());
    }

    @Override
    public void commit(ShardBatch changes) {
        Failures.run(() -> {
            try (RocksBatch batch = new RocksBatch()) {
                changes.mutations().forEach(mutation -> add(batch, mutation));
                changes.rows().forEach((key, state) -> set(batch, tables.rows, key, state.map(RowStateCodec::write)));
                changes.quarantine()
                        .forEach((key, record) ->
                                set(batch, tables.quarantine, key, record.map(QuarantineCodec::write)));
                batch.put(tables.meta, ShardTables.CHECKPOINT_KEY, CheckpointCodec.write(changes.checkpoint()));
                database.write(batch, false);
            }
        });
    }

    @Override
    public ShardView view() {
        return Failures.named(() -> new RocksShardView(database.view(), tables));
    }

    @Override
    public void close() {
        onClose.run();
        database.close();
    }

    static ShardCheckpoint checkpoint(byte @Nullable [] stored, int indexes) {
        return stored == null ? ShardCheckpoint.empty(indexes) : CheckpointCodec.read(stored);
    }

    private static void set(RocksBatch batch, RocksTable table, KeyBytes key, Optional<byte[]> value) {
        value.ifPresentOrElse(bytes -> batch.put(table, key.array(), bytes), () -> batch.delete(table, key.array()));
    }

    private void add(RocksBatch batch, IndexMutation mutation) {
        if (mutation instanceof IndexMutation.PutEntry put) {
            batch.put(
                    tables.indexes.get(put.index()),
                    put.key().array(),
                    put.carried().array());
        } else if (mutation instanceof IndexMutation.RemoveEntry gone) {
            batch.delete(tables.indexes.get(gone.index()), gone.key().array());
        } else {
            throw new AssertionError("unknown kind of mutation: " + mutation);
        }
    }
}
