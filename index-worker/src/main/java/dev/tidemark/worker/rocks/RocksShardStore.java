package dev.tidemark.worker.rocks;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.rocks.RocksBatch;
import dev.tidemark.rocks.RocksDatabase;
import dev.tidemark.rocks.RocksTable;
import dev.tidemark.worker.store.Durability;
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
    private final Failures failures;
    private final Runnable onClose;

    RocksShardStore(RocksDatabase database, ShardTables tables, Failures failures, Runnable onClose) {
        this.database = database;
        this.tables = tables;
        this.failures = failures;
        this.onClose = onClose;
    }

    @Override
    public ShardOrigin origin() {
        byte[] stored = failures.named(() -> database.get(tables.meta, ShardTables.ORIGIN_KEY));
        if (stored == null) {
            throw new ShardDamagedException("Expected the origin of the shard at " + database.path());
        }
        return CheckpointCodec.readOrigin(stored);
    }

    @Override
    public ShardCheckpoint checkpoint() {
        return failures.named(() -> checkpoint(database.get(tables.meta, ShardTables.CHECKPOINT_KEY)));
    }

    @Override
    public List<Optional<RowState>> rowStates(List<KeyBytes> primaryKeys) {
        List<byte[]> keys = primaryKeys.stream().map(KeyBytes::array).toList();
        return failures.named(() -> {
            List<Optional<RowState>> states = new ArrayList<>(keys.size());
            for (byte[] found : database.multiGet(tables.rows, keys)) {
                states.add(found == null ? Optional.empty() : Optional.of(RowStateCodec.read(found)));
            }
            return states;
        });
    }

    @Override
    public void commit(ShardBatch changes, Durability durability) {
        failures.run(() -> {
            try (RocksBatch batch = new RocksBatch()) {
                changes.mutations().forEach(mutation -> add(batch, mutation));
                changes.rows().forEach((key, state) -> set(batch, tables.rows, key, state.map(RowStateCodec::write)));
                changes.quarantine()
                        .forEach((key, record) ->
                                set(batch, tables.quarantine, key, record.map(QuarantineCodec::write)));
                batch.put(tables.meta, ShardTables.CHECKPOINT_KEY, CheckpointCodec.write(changes.checkpoint()));
                database.write(batch, durability == Durability.POWER_CUT);
            }
        });
    }

    @Override
    public ShardView view() {
        return failures.named(() -> new RocksShardView(database.view(), tables, failures));
    }

    @Override
    public void close() {
        onClose.run();
        database.close();
    }

    @Override
    public void addGeneration(long generation) {
        failures.run(() -> tables.add(generation));
    }

    @Override
    public void dropGeneration(long generation) {
        failures.run(() -> tables.drop(generation));
    }

    static ShardCheckpoint checkpoint(byte @Nullable [] stored) {
        return stored == null ? ShardCheckpoint.EMPTY : CheckpointCodec.read(stored);
    }

    private static void set(RocksBatch batch, RocksTable table, KeyBytes key, Optional<byte[]> value) {
        value.ifPresentOrElse(bytes -> batch.put(table, key.array(), bytes), () -> batch.delete(table, key.array()));
    }

    private void add(RocksBatch batch, IndexMutation mutation) {
        long generation = mutation.generation();
        if (mutation instanceof IndexMutation.PutEntry put) {
            batch.put(table(generation), put.key().array(), put.carried().array());
        } else if (mutation instanceof IndexMutation.RemoveEntry gone) {
            batch.delete(table(generation), gone.key().array());
        } else if (mutation instanceof IndexMutation.Refuse refused) {
            byte[] key = ShardTables.refusedKey(generation, refused.key()).array();
            batch.put(tables.refused, key, RefusedCodec.write(refused));
        } else if (mutation instanceof IndexMutation.Accept accepted) {
            batch.delete(
                    tables.refused,
                    ShardTables.refusedKey(generation, accepted.key()).array());
        } else {
            throw new AssertionError("unknown kind of mutation: " + mutation);
        }
    }

    private RocksTable table(long generation) {
        return tables.generation(generation)
                .orElseThrow(() -> new IllegalArgumentException(
                        "Expected one of the generations " + tables.generations() + ", but got " + generation));
    }
}
