package dev.tidemark.worker.verify;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.facts.StreamedFact;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.MalformedKeyException;
import dev.tidemark.key.Order;
import dev.tidemark.worker.apply.Derived;
import dev.tidemark.worker.apply.RowDeriver;
import dev.tidemark.worker.store.EntryScan;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.ShardView;

/**
 * Looks again at the rows that were suspected, some at a time: asks the table for them as they are now, waits until their
 * shards have come that far, and judges what a new view shows. Only this counts.
 */
final class SecondLook {
    private static final KeyBytes LEAST_SUFFIX = KeyBytes.wrap(new byte[] {0});

    /** Wrong rows that are known again, so that none counts twice; with more than these, some may. */
    private static final int REMEMBERED = 100_000;

    private final TableDefinition table;
    private final RowDeriver deriver;
    private final Facts facts;
    private final Patience patience;
    private final Outcome outcome;

    /** By row and generation; what is suspected twice is looked at once. */
    private final Map<Row, Map<Long, Set<KeyBytes>>> waiting = new LinkedHashMap<>();

    private final Set<Wrong> wrong = new HashSet<>();

    /** A row that has been found wrong in a generation. */
    private record Wrong(Row row, long generation) {}

    /** A row of a shard. */
    record Row(ShardWindow shard, KeyBytes primaryKey) {}

    /** Told of what came out. */
    interface Outcome {
        /**
         * A row has been judged in a generation.
         *
         * @param fact the row as the table has it; empty where it has none
         * @param differences what is wrong; empty when the index is right
         */
        void judged(Row row, RowSight sight, Optional<StreamedFact> fact, List<Difference> differences)
                throws InterruptedException;

        /** A row could not be judged in time. */
        void undecided(Row row, long generation);
    }

    SecondLook(TableDefinition table, RowDeriver deriver, Facts facts, Patience patience, Outcome outcome) {
        this.table = table;
        this.deriver = deriver;
        this.facts = facts;
        this.patience = patience;
        this.outcome = outcome;
    }

    /** Takes in a suspect, and looks at those taken in once they are many. */
    void add(Suspect suspect) throws CannotVerifyException, InterruptedException {
        Row row = new Row(suspect.shard(), suspect.primaryKey());
        if (wrong.contains(new Wrong(row, suspect.generation()))) {
            return;
        }
        waiting.computeIfAbsent(row, other -> new TreeMap<>())
                .computeIfAbsent(suspect.generation(), generation -> new LinkedHashSet<>())
                .addAll(suspect.extra());
        if (waiting.size() >= Facts.MOST_KEYS) {
            look();
        }
    }

    /** Looks at those that wait. */
    void look() throws CannotVerifyException, InterruptedException {
        if (waiting.isEmpty()) {
            return;
        }
        // Set aside first, so that a failure does not leave them for the next time.
        Map<Row, Map<Long, Set<KeyBytes>>> now = new LinkedHashMap<>(waiting);
        waiting.clear();
        List<KeyBytes> keys = now.keySet().stream()
                .filter(this::isAtHome)
                .map(Row::primaryKey)
                .distinct()
                .toList();
        Facts.Found found = facts.find(table, keys);
        Map<KeyBytes, StreamedFact> rows = new HashMap<>();
        found.rows().forEach(row -> row.ifPresent(fact -> rows.put(fact.key(), fact)));
        Map<ShardWindow, ShardView> views = new HashMap<>();
        try {
            for (Map.Entry<Row, Map<Long, Set<KeyBytes>>> suspect : now.entrySet()) {
                Row row = suspect.getKey();
                Optional<ShardView> view = view(row.shard(), found, views);
                Optional<StreamedFact> fact =
                        isAtHome(row) ? Optional.ofNullable(rows.get(row.primaryKey())) : Optional.empty();
                for (Map.Entry<Long, Set<KeyBytes>> one : suspect.getValue().entrySet()) {
                    if (view.isPresent()) {
                        judge(row, fact, sight(row, one.getKey(), one.getValue(), fact, found, view.get()));
                    } else {
                        outcome.undecided(row, one.getKey());
                    }
                }
            }
        } finally {
            views.values().forEach(ShardView::close);
        }
    }

    private void judge(Row row, Optional<StreamedFact> fact, RowSight sight) throws InterruptedException {
        List<Difference> differences = RowJudge.judge(sight);
        if (!differences.isEmpty() && wrong.size() < REMEMBERED) {
            wrong.add(new Wrong(row, sight.generation()));
        }
        outcome.judged(row, sight, fact, differences);
    }

    /** A view that has everything that the facts show; empty when the shard does not come that far. */
    private Optional<ShardView> view(ShardWindow shard, Facts.Found found, Map<ShardWindow, ShardView> views)
            throws CannotVerifyException, InterruptedException {
        ShardView known = views.get(shard);
        if (known != null) {
            return Optional.of(known);
        }
        if (!patience.until(() -> !found.to().isAfter(shard.through()) || shard.isLeaving())) {
            return Optional.empty();
        }
        ShardView opened = shard.open();
        views.put(shard, opened);
        return Optional.of(opened);
    }

    private RowSight sight(
            Row row,
            long generation,
            Set<KeyBytes> extra,
            Optional<StreamedFact> fact,
            Facts.Found found,
            ShardView view) {
        Optional<RowState> state = view.rowState(row.primaryKey());
        Optional<RowSight.Fact> derived =
                fact.map(known -> new RowSight.Fact(known.version(), derived(known, generation)));
        Map<KeyBytes, Long> stated = state.<Map<KeyBytes, Long>>map(
                        known -> RowSight.entries(known, row.primaryKey(), generation))
                .orElse(Map.of());
        Set<KeyBytes> places = new HashSet<>(extra);
        places.addAll(RowSight.places(stated, derived));
        SortedMap<KeyBytes, KeyBytes> there = new TreeMap<>();
        places.forEach(place -> carried(view, generation, place).ifPresent(carried -> there.put(place, carried)));
        return new RowSight(row.shard().partition(), row.primaryKey(), generation, found.from(), derived, state, there);
    }

    private Derived derived(StreamedFact fact, long generation) {
        Derived derived = deriver.derive(fact.key(), fact.row().orElseThrow()).get(generation);
        if (derived == null) {
            throw new IllegalArgumentException("Expected one of " + deriver.generations() + ", but got " + generation);
        }
        return derived;
    }

    private static Optional<KeyBytes> carried(ShardView view, long generation, KeyBytes place) {
        KeyRange exactly = new KeyRange(place, place.concat(LEAST_SUFFIX));
        try (EntryScan scan = view.scan(generation, exactly, Order.ASC)) {
            return scan.isValid() ? Optional.of(scan.carried()) : Optional.empty();
        }
    }

    /** Whether the table could have such a row in this shard. */
    private boolean isAtHome(Row row) {
        try {
            table.keyToJson(row.primaryKey());
        } catch (MalformedKeyException e) {
            return false;
        }
        return table.partitionOf(row.primaryKey()) == row.shard().partition();
    }
}
