package dev.tidemark.deploy.kills;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;
import dev.tidemark.rocks.RocksResources;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.rocks.RocksShardStores;
import dev.tidemark.worker.store.Durability;
import dev.tidemark.worker.store.IndexMutation;
import dev.tidemark.worker.store.QuarantinedRecord;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.RowState.Entries;
import dev.tidemark.worker.store.ShardBatch;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardOrigin;
import dev.tidemark.worker.store.ShardStore;
import dev.tidemark.worker.store.ShardView;

/** A shard that is written as the worker writes it: what the store says of a row decides which entries go. */
final class ShardTrial implements Trial {
    private static final ShardOrigin ORIGIN = new ShardOrigin("topic", "rows");
    private static final int ONE_IN_MERGED = 3;

    /** More scans than a merge of all entries asks for. */
    private static final int MANY_SCANS = 25_000;

    private static final KeyRange SOME_ENTRIES =
            new KeyRange(KeyBytes.wrap(new byte[] {0}), KeyBytes.wrap(new byte[] {1}));

    private final RocksResources resources = new RocksResources(8 << 20, 64 << 10);
    private final RocksShardStores stores;
    private final ShardStore store;
    private final Script script;
    private ShardCheckpoint checkpoint;
    private boolean mergesFirst;

    ShardTrial(Path directory, Script script) {
        this.stores = new RocksShardStores(directory, resources, 1 << 20, 1 << 20);
        this.store = stores.open(new ShardId("rows", 0), ORIGIN);
        this.script = script;
        this.checkpoint = store.checkpoint();
        this.mergesFirst = newest() % ONE_IN_MERGED == 0;
    }

    @Override
    public long newest() {
        return checkpoint.nextOffset();
    }

    @Override
    public void write() {
        if (mergesFirst) {
            mergesFirst = false;
            mergeAfterManyScans();
        }
        long batch = newest() + 1;
        boolean first = batch == 1;
        long passing = ShardRows.passing(batch);
        long before = ShardRows.passing(batch - 1);
        ShardFigures figures = new ShardFigures(checkpoint);
        if (first) {
            store.addGenerations(List.of(ShardRows.STEADY));
        }
        if (first || passing != before) {
            store.addGenerations(List.of(passing));
        }
        ShardBatch changes = changes(batch, figures);
        store.commit(changes, ShardRows.isSynced(batch) ? Durability.POWER_CUT : Durability.PROCESS);
        checkpoint = changes.checkpoint();
        if (passing != before) {
            store.dropGeneration(before);
        }
    }

    @Override
    public long check() {
        Trial.same("the origin", store.origin(), ORIGIN);
        try (ShardView view = store.view()) {
            return new ShardExpectation(script, newest()).compare(store, view);
        }
    }

    /** The merge goes on beside the next batches. It ends the process where it fails. */
    private void mergeAfterManyScans() {
        try (ShardView view = store.view()) {
            for (int i = 0; i < MANY_SCANS; i++) {
                view.scan(ShardRows.STEADY, SOME_ENTRIES, Order.ASC).close();
            }
        }
        Thread merge = new Thread(stores::compactOftenRead, "merge");
        merge.setDaemon(true);
        merge.setUncaughtExceptionHandler((thread, failure) -> {
            failure.printStackTrace();
            Runtime.getRuntime().halt(1);
        });
        merge.start();
    }

    @Override
    public void close() {
        store.close();
        resources.close();
    }

    private ShardBatch changes(long batch, ShardFigures figures) {
        List<Touch> touches = script.batch(batch);
        List<KeyBytes> keys =
                touches.stream().map(touch -> ShardRows.key(touch.row())).toList();
        List<Optional<RowState>> known = store.rowStates(keys);
        List<IndexMutation> mutations = new ArrayList<>();
        Map<KeyBytes, Optional<RowState>> rows = new HashMap<>();
        Map<KeyBytes, Optional<QuarantinedRecord>> quarantine = new HashMap<>();
        for (int i = 0; i < touches.size(); i++) {
            Touch touch = touches.get(i);
            Optional<RowState> state = ShardRows.state(touch);
            for (long generation : List.of(ShardRows.STEADY, ShardRows.passing(batch))) {
                mutations.addAll(gone(generation, keys.get(i), known.get(i)));
                mutations.addAll(come(generation, touch, state));
            }
            figures.replace(keys.get(i), known.get(i), state);
            rows.put(keys.get(i), state);
            quarantine.put(keys.get(i), ShardRows.quarantined(touch));
        }
        return new ShardBatch(mutations, rows, quarantine, figures.checkpoint(batch));
    }

    private static List<IndexMutation> gone(long generation, KeyBytes row, Optional<RowState> known) {
        List<IndexMutation> mutations = new ArrayList<>();
        Entries entries = known.flatMap(state -> state.in(generation)).orElse(Entries.NONE);
        entries.keys().forEach(key -> mutations.add(new IndexMutation.RemoveEntry(generation, key.concat(row))));
        entries.refusal().ifPresent(reason -> mutations.add(new IndexMutation.Accept(generation, row)));
        return mutations;
    }

    private static List<IndexMutation> come(long generation, Touch touch, Optional<RowState> state) {
        List<IndexMutation> mutations = new ArrayList<>();
        KeyBytes row = ShardRows.key(touch.row());
        RowVersion version = ShardRows.version(touch.sequence());
        KeyBytes carried = ShardRows.carried(touch);
        Entries entries = state.flatMap(known -> known.in(generation)).orElse(Entries.NONE);
        entries.keys().forEach(key -> mutations.add(new IndexMutation.PutEntry(generation, key.concat(row), carried)));
        entries.refusal()
                .ifPresent(reason -> mutations.add(new IndexMutation.Refuse(generation, row, version, reason)));
        return mutations;
    }
}
