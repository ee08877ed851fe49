package dev.tidemark.deploy.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.progress.Progress;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.apply.RowDeriver;
import dev.tidemark.worker.store.Durability;
import dev.tidemark.worker.store.GenerationState;
import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.IndexMutation;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.RowState.Standing;
import dev.tidemark.worker.store.ShardBatch;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardOrigin;
import dev.tidemark.worker.store.ShardStore;
import dev.tidemark.worker.store.ShardView;

/**
 * A shard's store that may end the process around a commit, fails now and then, and breaks a rule where that is asked
 * for. What reads it to judge it does not fail.
 */
final class FallibleShardStore implements ShardStore {
    private static final int FAILS = 300;
    private static final Duration FORWARD = Duration.ofDays(14);

    private final ShardStore store;
    private final RandomSource chance;
    private final Rule broken;
    private final History history;
    private final SubmittedBatches handed;
    private final KnownDefinitions definitions;
    private final String table;
    private final PortFaults reads;
    private final PortFaults writes;
    private final BooleanSupplier atWork;
    private boolean kept;

    FallibleShardStore(
            ShardStore store,
            RandomSource chance,
            Rule broken,
            History history,
            SubmittedBatches handed,
            KnownDefinitions definitions,
            String table,
            BooleanSupplier atWork) {
        this.atWork = atWork;
        this.reads = new PortFaults(chance, CoveragePoint.A_SHARD_COULD_NOT_BE_READ, FAILS).begin();
        this.writes = new PortFaults(chance, CoveragePoint.A_SHARD_COMMIT_FAILED, FAILS).begin();
        this.definitions = definitions;
        this.table = table;
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

    /** The same as what a shard was. */
    FallibleShardStore kept() {
        kept = true;
        return this;
    }

    @Override
    public ShardCheckpoint checkpoint() {
        ShardCheckpoint found = store.checkpoint();
        return kept && broken == Rule.WHAT_A_SHARD_WAS_TELLS_ITS_AGE ? forwardDated(found) : found;
    }

    private static ShardCheckpoint forwardDated(ShardCheckpoint found) {
        Progress told = found.progress();
        Progress later = new Progress(told.watermark().orElseThrow().plus(FORWARD), told.through());
        return new ShardCheckpoint(
                found.nextOffset(),
                found.leaderEpoch(),
                later,
                found.lastCaughtUp(),
                found.generations(),
                found.liveRows(),
                found.quarantined());
    }

    @Override
    public List<Optional<RowState>> rowStates(List<KeyBytes> primaryKeys) {
        List<Optional<RowState>> states = reads.read(() -> store.rowStates(primaryKeys));
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
    public void commit(ShardBatch batch, Durability durability) {
        chance.failpoint(CoveragePoint.BEFORE_A_SHARD_COMMIT);
        if (broken == Rule.A_FAILED_COMMIT_ENDS_THE_APPLIER && !batch.rows().isEmpty() && chance.faultOneIn(FAILS)) {
            return;
        }
        writes.write(() -> commitBreaking(batch, durability));
        chance.failpoint(CoveragePoint.AFTER_A_SHARD_COMMIT);
    }

    private void commitBreaking(ShardBatch batch, Durability durability) {
        switch (broken) {
            case REMEMBER_TOMBSTONES -> store.commit(withoutTombstones(batch), durability);
            case POISON_IS_LISTED ->
                store.commit(new ShardBatch(batch.mutations(), batch.rows(), Map.of(), batch.checkpoint()), durability);
            case OLD_ENTRIES_GO -> store.commit(withOldEntries(batch), durability);
            case A_REBUILD_IS_NO_PROOF -> store.commit(withImaginedProofs(batch), durability);
            case THE_SWITCH_IS_DURABLE -> store.commit(batch, Durability.PROCESS);
            case OFFSET_IN_THE_SAME_BATCH -> {
                store.commit(ShardBatch.of(batch.checkpoint()));
                chance.failpoint(CoveragePoint.BETWEEN_TWO_COMMITS);
                store.commit(batch, durability);
            }
            case COPY_POSITION_IN_THE_SAME_BATCH -> {
                if (isCopying()) {
                    store.commit(ShardBatch.of(batch.checkpoint()));
                    chance.seldomFailpoint(CoveragePoint.BETWEEN_TWO_COMMITS);
                }
                store.commit(batch, durability);
            }
            default -> store.commit(batch, durability);
        }
    }

    @Override
    public void addGenerations(Collection<Long> generations) {
        writes.write(() -> store.addGenerations(generations));
        chance.failpoint(CoveragePoint.AFTER_A_GENERATION_WAS_ADDED);
    }

    @Override
    public void dropGeneration(long generation) {
        chance.failpoint(CoveragePoint.BEFORE_A_GENERATION_IS_DROPPED);
        writes.write(() -> store.dropGeneration(generation));
    }

    @Override
    public ShardView view() {
        return atWork.getAsBoolean() ? reads.read(store::view) : store.view();
    }

    @Override
    public void close() {
        store.close();
    }

    private boolean isCopying() {
        return store.checkpoint().generations().values().stream()
                .anyMatch(held -> held.phase() instanceof GenerationState.Building);
    }

    /** What is built again counts as proven. */
    private static ShardBatch withImaginedProofs(ShardBatch batch) {
        ShardCheckpoint checkpoint = batch.checkpoint();
        for (GenerationStatus held : batch.checkpoint().generations().values()) {
            if (held.isRestoring()) {
                checkpoint = checkpoint.with(new GenerationStatus(
                        held.id(),
                        held.definition(),
                        held.phase(),
                        Optional.of(held.phase().since()),
                        held.tally()));
            }
        }
        return new ShardBatch(batch.mutations(), batch.rows(), batch.quarantine(), checkpoint);
    }

    private static RowState withoutVersion(RowState state) {
        return new RowState(RowVersion.NONE, state.standing(), state.entries());
    }

    /** Nothing is removed where something is put. */
    private static ShardBatch withOldEntries(ShardBatch batch) {
        boolean puts = batch.mutations().stream().anyMatch(IndexMutation.PutEntry.class::isInstance);
        List<IndexMutation> kept = batch.mutations().stream()
                .filter(mutation -> !puts || !(mutation instanceof IndexMutation.RemoveEntry))
                .toList();
        return new ShardBatch(kept, batch.rows(), batch.quarantine(), batch.checkpoint());
    }

    private static ShardBatch withoutTombstones(ShardBatch batch) {
        Map<KeyBytes, Optional<RowState>> rows = new HashMap<>(batch.rows());
        rows.replaceAll((key, state) ->
                state.map(known -> known.standing() == Standing.DELETED ? withoutVersion(known) : known));
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
            Map<Long, RowState.Entries> entries = new HashMap<>();
            new RowDeriver(definitions.layout().generations(table))
                    .derive(row.key(), row.row())
                    .forEach((generation, derived) -> entries.put(generation, derived.entries()));
            return new RowState(state.version(), state.standing(), entries);
        }
        return RowState.without(state.version(), state.standing());
    }
}
