package dev.tidemark.deploy.kills;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;
import dev.tidemark.worker.store.EntryScan;
import dev.tidemark.worker.store.QuarantinedRecord;
import dev.tidemark.worker.store.RefusedRow;
import dev.tidemark.worker.store.RowScan;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.RowState.Entries;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardStore;
import dev.tidemark.worker.store.ShardView;

/** What a shard must hold after a batch, told by the script alone. */
final class ShardExpectation {
    private final long batch;
    private final SortedMap<KeyBytes, RowState> rows = new TreeMap<>();
    private final Map<Long, SortedMap<KeyBytes, KeyBytes>> entries = new TreeMap<>();
    private final Map<Long, List<RefusedRow>> refused = new TreeMap<>();
    private final List<QuarantinedRecord> quarantine = new ArrayList<>();
    private final ShardFigures figures = new ShardFigures(ShardCheckpoint.EMPTY);

    ShardExpectation(Script script, long batch) {
        this.batch = batch;
        for (Touch touch : script.lastTouches(batch).values()) {
            KeyBytes row = ShardRows.key(touch.row());
            Optional<RowState> state = ShardRows.state(touch);
            state.ifPresent(known -> {
                rows.put(row, known);
                known.entries().forEach((id, some) -> add(id, touch, row, some));
            });
            ShardRows.quarantined(touch).ifPresent(quarantine::add);
            figures.replace(row, Optional.empty(), state);
        }
    }

    /**
     * Compares everything with a shard.
     *
     * @return rows and entries compared
     */
    long compare(ShardStore store, ShardView view) {
        ShardCheckpoint checkpoint = batch == 0 ? ShardCheckpoint.EMPTY : figures.checkpoint(batch);
        Trial.same("the checkpoint", view.checkpoint(), checkpoint);
        Trial.same("the rows", rowsOf(view), rows);
        List<KeyBytes> keys = new ArrayList<>();
        for (int row = 0; row < Script.ROWS; row++) {
            keys.add(ShardRows.key(row));
        }
        Trial.same(
                "the rows asked for",
                store.rowStates(keys),
                keys.stream().map(key -> Optional.ofNullable(rows.get(key))).toList());
        List<QuarantinedRecord> kept = new ArrayList<>();
        view.quarantine(kept::add);
        Trial.same("the quarantine", kept, quarantine);
        long compared = rows.size();
        for (long id = ShardRows.STEADY; id <= ShardRows.passing(batch) + 1; id++) {
            boolean there = checkpoint.generation(id).isPresent();
            SortedMap<KeyBytes, KeyBytes> expected =
                    there ? entries.getOrDefault(id, new TreeMap<>()) : new TreeMap<>();
            Trial.same("the entries of generation " + id, entriesOf(view, id), expected);
            Trial.same(
                    "the rows refused by generation " + id,
                    view.refused(id, Script.ROWS),
                    there ? refused.getOrDefault(id, List.of()) : List.of());
            compared += expected.size();
        }
        return compared;
    }

    private void add(long generation, Touch touch, KeyBytes row, Entries some) {
        SortedMap<KeyBytes, KeyBytes> all = entries.computeIfAbsent(generation, id -> new TreeMap<>());
        some.keys().forEach(key -> all.put(key.concat(row), ShardRows.carried(touch)));
        some.refusal()
                .ifPresent(reason -> refused.computeIfAbsent(generation, id -> new ArrayList<>())
                        .add(new RefusedRow(row, ShardRows.version(touch.sequence()), reason)));
    }

    private static SortedMap<KeyBytes, RowState> rowsOf(ShardView view) {
        SortedMap<KeyBytes, RowState> found = new TreeMap<>();
        try (RowScan scan = view.scanRows()) {
            for (; scan.isValid(); scan.next()) {
                found.put(scan.primaryKey(), scan.state());
            }
        }
        return found;
    }

    private static SortedMap<KeyBytes, KeyBytes> entriesOf(ShardView view, long generation) {
        SortedMap<KeyBytes, KeyBytes> found = new TreeMap<>();
        try (EntryScan scan = view.scan(generation, KeyRange.ALL, Order.ASC)) {
            for (; scan.isValid(); scan.next()) {
                found.put(scan.key(), scan.carried());
            }
        }
        return found;
    }
}
