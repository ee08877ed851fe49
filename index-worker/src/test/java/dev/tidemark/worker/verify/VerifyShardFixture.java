package dev.tidemark.worker.verify;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.digest.Digest;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.apply.DigestFinding;
import dev.tidemark.worker.apply.RowChange;
import dev.tidemark.worker.apply.RowPlanner;
import dev.tidemark.worker.apply.RowRepair;
import dev.tidemark.worker.apply.VerificationResult;
import dev.tidemark.worker.store.EntryScan;
import dev.tidemark.worker.store.GenerationState;
import dev.tidemark.worker.store.GenerationStats;
import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.IndexMutation;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.ShardBatch;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardStore;
import dev.tidemark.worker.store.ShardView;
import dev.tidemark.worker.testkit.ChangeLog;

/** A shard that is changed row by row, and behind its back. */
final class VerifyShardFixture implements ShardWindow {
    private final int partition;
    private final RowPlanner planner;
    private final List<Generation> generations;
    private final ShardStore store;
    private RowVersion through = RowVersion.NONE;
    private final Map<Long, DigestFinding> digests = new HashMap<>();
    private final Map<Long, VerificationResult> verdicts = new HashMap<>();
    private boolean leaving;
    private boolean repairing = true;
    private boolean idle;

    VerifyShardFixture(TableDefinition table, int partition, List<Generation> generations, ShardStore store) {
        this.partition = partition;
        this.planner = new RowPlanner(table, partition, generations);
        this.generations = generations;
        this.store = store;
        ShardCheckpoint checkpoint = ShardCheckpoint.EMPTY;
        for (Generation generation : generations) {
            store.addGenerations(List.of(generation.id()));
            checkpoint = checkpoint.with(GenerationStatus.begun(
                    generation.id(), "definition", new GenerationState.Rebuilding(ChangeLog.at(0), "a test")));
        }
        store.commit(ShardBatch.of(checkpoint));
    }

    @Override
    public int partition() {
        return partition;
    }

    @Override
    public RowVersion through() {
        return through;
    }

    @Override
    public Optional<DigestFinding> digest(long generation) {
        return Optional.ofNullable(digests.get(generation));
    }

    /** Compares digests at a moment when everything of the table has been applied. */
    void mark(long generation, Digest ofTable) {
        Digest held =
                store.checkpoint().generation(generation).orElseThrow().tally().entriesDigest();
        digests.put(generation, new DigestFinding(through, ChangeLog.at(1), held.equals(ofTable) ? 0 : 1));
    }

    @Override
    public ShardView open() {
        return store.view();
    }

    @Override
    public boolean isLeaving() {
        return leaving;
    }

    @Override
    public boolean repair(List<RowRepair> rows) {
        if (!repairing || idle) {
            return repairing;
        }
        for (RowRepair row : rows) {
            Optional<RowState> known = state(row.primaryKey());
            if (planner.repair(known, row) instanceof RowChange.Applied applied) {
                set(row.primaryKey(), known, applied.state(), applied.mutations());
            }
        }
        return true;
    }

    @Override
    public boolean correct(long generation, GenerationStats by) {
        GenerationStatus status = store.checkpoint().generation(generation).orElseThrow();
        store.commit(
                ShardBatch.of(store.checkpoint().with(status.with(status.tally().plus(by)))));
        return true;
    }

    @Override
    public void judge(long generation, VerificationResult proof) {
        verdicts.put(generation, proof);
    }

    void leave() {
        leaving = true;
    }

    /** Puts nothing right, and says so. */
    void refuseRepairs() {
        repairing = false;
    }

    /** Says that rows are put right, and leaves them as they are. */
    void idle() {
        idle = true;
    }

    /** What the comparisons came to that the shard was told of, by generation. */
    Map<Long, VerificationResult> verdicts() {
        return verdicts;
    }

    /** Has everything up to a version. */
    void through(RowVersion version) {
        through = version;
    }

    void apply(ChangeEvent event) {
        Optional<RowState> known = store.rowStates(List.of(event.key())).get(0);
        if (planner.plan(known, event) instanceof RowChange.Applied applied) {
            set(event.key(), known, applied.state(), applied.mutations());
        }
    }

    /** Changes the state of a row and what is kept of it in sum, and no entry. */
    void setState(KeyBytes key, Optional<RowState> state) {
        set(key, store.rowStates(List.of(key)).get(0), state, List.of());
    }

    /** Changes entries and nothing else. */
    void tamper(IndexMutation... mutations) {
        store.commit(new ShardBatch(List.of(mutations), Map.of(), Map.of(), store.checkpoint()));
    }

    Optional<RowState> state(KeyBytes key) {
        return store.rowStates(List.of(key)).get(0);
    }

    /** Every entry of a generation, with what it carries. */
    List<Map.Entry<KeyBytes, KeyBytes>> entries(long generation) {
        List<Map.Entry<KeyBytes, KeyBytes>> entries = new ArrayList<>();
        try (ShardView view = store.view();
                EntryScan scan = view.scan(generation, KeyRange.ALL, Order.ASC)) {
            for (; scan.isValid(); scan.next()) {
                entries.add(Map.entry(scan.key(), scan.carried()));
            }
        }
        return entries;
    }

    private void set(KeyBytes key, Optional<RowState> known, Optional<RowState> state, List<IndexMutation> mutations) {
        ShardCheckpoint checkpoint = store.checkpoint();
        for (Generation generation : generations) {
            GenerationStatus status = checkpoint.generation(generation.id()).orElseThrow();
            GenerationStats stats = status.tally()
                    .minus(known.map(row -> GenerationStats.of(key, row, generation.id()))
                            .orElse(GenerationStats.NONE))
                    .plus(state.map(row -> GenerationStats.of(key, row, generation.id()))
                            .orElse(GenerationStats.NONE));
            checkpoint = checkpoint.with(status.with(stats));
        }
        store.commit(new ShardBatch(mutations, Map.of(key, state), Map.of(), checkpoint));
    }
}
