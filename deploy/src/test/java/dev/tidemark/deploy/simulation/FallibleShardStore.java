package dev.tidemark.deploy.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.index.DerivedEntries;
import dev.tidemark.index.EntryDeriver;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.index.Projection;
import dev.tidemark.index.UnindexableRowException;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.RowState.Standing;
import dev.tidemark.worker.store.ShardBatch;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardOrigin;
import dev.tidemark.worker.store.ShardStore;
import dev.tidemark.worker.store.ShardView;

/** A shard's store that may end the process around a commit, and breaks a rule where that is asked for. */
final class FallibleShardStore implements ShardStore {
    private final ShardStore store;
    private final Chance chance;
    private final Rule broken;
    private final History history;
    private final HandedBatches handed;

    FallibleShardStore(ShardStore store, Chance chance, Rule broken, History history, HandedBatches handed) {
        this.store = store;
        this.chance = chance;
        this.broken = broken;
        this.history = history;
        this.handed = handed;
    }

    @Override
    public ShardOrigin origin() {
        return store.origin();
    }

    @Override
    public ShardCheckpoint checkpoint() {
        return store.checkpoint();
    }

    @Override
    public List<Optional<RowState>> rowStates(List<KeyBytes> primaryKeys) {
        List<Optional<RowState>> states = store.rowStates(primaryKeys);
        handed.applying(primaryKeys);
        return switch (broken) {
            case CHECK_THE_VERSION ->
                states.stream()
                        .map(state -> state.map(FallibleShardStore::withoutVersion))
                        .toList();
            case TRUST_NO_BEFORE_IMAGE -> beforeImages(primaryKeys, states);
            default -> states;
        };
    }

    @Override
    public void commit(ShardBatch batch) {
        chance.killPoint("before a shard's commit");
        switch (broken) {
            case REMEMBER_TOMBSTONES -> store.commit(withoutTombstones(batch));
            case OFFSET_IN_THE_SAME_BATCH -> {
                store.commit(ShardBatch.of(batch.checkpoint()));
                chance.killPoint("between offset and data");
                store.commit(batch);
            }
            default -> store.commit(batch);
        }
        chance.killPoint("after a shard's commit");
    }

    @Override
    public ShardView view() {
        return store.view();
    }

    @Override
    public void close() {
        store.close();
    }

    private static RowState withoutVersion(RowState state) {
        return new RowState(RowVersion.NONE, state.standing(), state.indexes());
    }

    private static ShardBatch withoutTombstones(ShardBatch batch) {
        Map<KeyBytes, Optional<RowState>> rows = new HashMap<>(batch.rows());
        rows.replaceAll((key, state) -> state.filter(known -> known.standing() != Standing.DELETED));
        return new ShardBatch(batch.mutations(), rows, batch.quarantine(), batch.checkpoint());
    }

    /** The entries of the row just before the change that is being applied, as its before-image would give them. */
    private List<Optional<RowState>> beforeImages(List<KeyBytes> keys, List<Optional<RowState>> states) {
        List<Optional<RowState>> imagined = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            KeyBytes key = keys.get(i);
            RowVersion applying = handed.newestOf(key);
            imagined.add(states.get(i).map(state -> beforeImage(key, applying, state)));
        }
        return imagined;
    }

    private RowState beforeImage(KeyBytes key, RowVersion applying, RowState state) {
        Optional<ChangeEvent> before = history.before(key, applying);
        if (before.isPresent() && before.get() instanceof ChangeEvent.Upserted row) {
            List<RowState.Entries> entries = new ArrayList<>();
            for (IndexDefinition index : SampleTable.definition().indexes()) {
                entries.add(entries(index, row));
            }
            return new RowState(state.version(), state.standing(), entries);
        }
        return RowState.without(
                state.version(), state.standing(), state.indexes().size());
    }

    private static RowState.Entries entries(IndexDefinition index, ChangeEvent.Upserted row) {
        try {
            DerivedEntries derived = new EntryDeriver(index).derive(row.key(), row.row());
            List<KeyBytes> shortened = derived.keys().stream()
                    .map(key -> KeyBytes.wrap(
                            Arrays.copyOf(key.array(), key.length() - row.key().length())))
                    .toList();
            boolean covering = index.projection() instanceof Projection.Fields;
            return new RowState.Entries(
                    shortened,
                    covering && derived.carried() != null
                            ? KeyBytes.wrap(derived.carried().bytes())
                            : KeyBytes.EMPTY,
                    derived.absence());
        } catch (UnindexableRowException e) {
            throw new AssertionError(e);
        }
    }
}
