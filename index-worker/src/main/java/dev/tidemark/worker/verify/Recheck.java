package dev.tidemark.worker.verify;

import java.util.ArrayList;
import java.util.Collection;
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
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.apply.DerivedRow;
import dev.tidemark.worker.apply.RowDeriver;
import dev.tidemark.worker.store.EntryScan;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.ShardView;

/**
 * Looks again at the rows that were suspected, some at a time: asks the table for them as they are now, waits until
 * their shards have come that far, and judges what a new view shows. Only this counts.
 *
 * <p>A view can show a change that the table was asked too early for. Then the table is asked once more: every version
 * that the writer gave before the view was opened shows in this answer, and any other is foreign.
 */
final class Recheck {
    private static final KeyBytes LEAST_SUFFIX = KeyBytes.wrap(new byte[] {0});

    private static final long MOST_BYTES = 8L << 20;
    private static final int PART_OF_MEMORY = 8;

    /** Objects around a row, or an entry of one, that is suspected or remembered. */
    private static final long OBJECTS = 192;

    /**
     * Maximum number of views for a row that is deleted each time between a view and an answer. It then stays
     * undecided.
     */
    private static final int MOST_VIEWS = 3;

    private final TableDefinition table;
    private final RowShards homes;
    private final FactReader facts;

    /** Bytes of wrong rows that are known again, so that none counts twice; with more than these, some may. */
    private final long remembered;

    /**
     * Limit in bytes for the suspected entries that wait, and for what is known of rows that moved. At the limit, the
     * rows are checked.
     */
    private final long most;

    private final Pacer patience;
    private final Outcome outcome;

    /** By row and generation; what is suspected twice is looked at once. */
    private final Map<Row, Map<Long, Set<KeyBytes>>> waiting = new LinkedHashMap<>();

    private final Set<Place> wrong = new HashSet<>();
    private final Map<Place, Integer> views = new HashMap<>();
    private long waitingBytes;
    private long wrongBytes;

    /** A row in a generation. */
    private record Place(Row row, long generation) {}

    /**
     * A row that has changed since its fact was read, and the entries that were suspected beside those known from it.
     */
    private record Moved(Row row, Optional<StreamedFact> fact, RowObservation sight, Set<KeyBytes> extra) {}

    /** A row of a shard. */
    record Row(ShardWindow shard, KeyBytes primaryKey) {}

    /** Receives the results. */
    interface Outcome {
        /**
         * A row has been judged in a generation.
         *
         * @param fact the row as the table has it; empty where it has none
         * @param differences what is wrong; empty when the index is right
         */
        void judged(Row row, RowObservation sight, Optional<StreamedFact> fact, List<Difference> differences)
                throws InterruptedException;

        /** A row could not be judged in time. */
        void undecided(Row row, long generation);
    }

    /**
     * Creates a recheck without suspects.
     *
     * @param homes where rows are
     * @param bytes approximate limit for the memory that it holds, beside the rows that it finds
     */
    Recheck(TableDefinition table, RowShards homes, FactReader facts, long bytes, Pacer patience, Outcome outcome) {
        this.table = table;
        this.homes = homes;
        this.facts = facts;
        this.remembered = bytes / 2;
        this.most = bytes / 4;
        this.patience = patience;
        this.outcome = outcome;
    }

    /** Bytes that a look may hold of the memory for comparisons. */
    static long bytes(MemoryBudget.Part memory) {
        return Math.min(MOST_BYTES, memory.limit() / PART_OF_MEMORY);
    }

    /**
     * Takes in a row that does not look right in one generation, and looks at those taken in once they are many.
     *
     * @param extra entries of the row that were seen and should not be, or not so; the others are known from the row
     *     itself
     */
    void add(Row row, long generation, Set<KeyBytes> extra) throws CannotVerifyException, InterruptedException {
        if (wrong.contains(new Place(row, generation))) {
            return;
        }
        await(row, generation, extra);
        for (KeyBytes entry : extra) {
            waitingBytes += OBJECTS + entry.length();
        }
        if (waiting.size() >= FactReader.MOST_KEYS || waitingBytes >= most) {
            look();
        }
    }

    /** Looks at those that wait. */
    void look() throws CannotVerifyException, InterruptedException {
        while (!waiting.isEmpty()) {
            lookOnce();
        }
        views.clear();
    }

    private void lookOnce() throws CannotVerifyException, InterruptedException {
        // Set aside first, so that a failure does not leave them for the next time.
        Map<Row, Map<Long, Set<KeyBytes>>> now = new LinkedHashMap<>(waiting);
        waiting.clear();
        waitingBytes = 0;
        List<KeyBytes> keys = keys(now.keySet());
        Map<Row, Map<Long, Set<KeyBytes>>> later = new LinkedHashMap<>();
        try (FactReader.Found found = facts.find(table, keys)) {
            Set<KeyBytes> unread = new HashSet<>(found.unread(keys));
            now.forEach((row, suspected) -> {
                if (unread.contains(row.primaryKey())) {
                    later.put(row, suspected);
                }
            });
            now.keySet().removeAll(later.keySet());
            look(now, found);
        }
        waiting.putAll(later);
    }

    private void look(Map<Row, Map<Long, Set<KeyBytes>>> suspects, FactReader.Found found)
            throws CannotVerifyException, InterruptedException {
        Map<KeyBytes, StreamedFact> rows = byKey(found);
        List<Moved> moved = new ArrayList<>();
        long movedBytes = 0;
        Map<ShardWindow, RowVersion> due = due(suspects.keySet(), found, rows);
        Map<ShardWindow, ShardView> opened = new HashMap<>();
        Set<ShardWindow> late = new HashSet<>();
        try {
            for (Map.Entry<Row, Map<Long, Set<KeyBytes>>> suspect : suspects.entrySet()) {
                Row row = suspect.getKey();
                if (!late.contains(row.shard()) && !isThere(row.shard(), due, opened)) {
                    late.add(row.shard());
                }
                Optional<ShardView> view = Optional.ofNullable(opened.get(row.shard()));
                Optional<StreamedFact> fact = fact(row, rows);
                for (Map.Entry<Long, Set<KeyBytes>> one : suspect.getValue().entrySet()) {
                    if (view.isEmpty()) {
                        outcome.undecided(row, one.getKey());
                        continue;
                    }
                    RowObservation sight = sight(row, one.getKey(), one.getValue(), fact, found, view.get());
                    if (sight.isInFlux()) {
                        moved.add(new Moved(row, fact, sight, one.getValue()));
                        movedBytes += sight.bytes();
                    } else {
                        judge(row, fact, sight);
                    }
                }
                if (movedBytes >= most) {
                    judgeLater(moved);
                    moved.clear();
                    movedBytes = 0;
                }
            }
        } finally {
            opened.values().forEach(ShardView::close);
        }
        judgeLater(moved);
        requireAll(late, due);
    }

    /** Ends the look, because a shard that does not come in time is not waited for with each row. */
    private void requireAll(Set<ShardWindow> late, Map<ShardWindow, RowVersion> due) throws CannotVerifyException {
        if (!late.isEmpty()) {
            ShardWindow first = late.iterator().next();
            throw new CannotVerifyException("shard " + table.name() + "-" + first.partition()
                    + " has not come as far as its table: it has changes up to " + first.through()
                    + ", and rows were looked at up to " + due.get(first));
        }
    }

    /** Judges rows beside their facts of now, as many at a time as there is memory to read. */
    private void judgeLater(List<Moved> moved) throws CannotVerifyException, InterruptedException {
        List<Moved> left = List.copyOf(moved);
        while (!left.isEmpty()) {
            List<KeyBytes> keys = keys(left.stream().map(Moved::row).toList());
            List<Moved> next = new ArrayList<>();
            try (FactReader.Found found = facts.find(table, keys)) {
                Set<KeyBytes> unread = new HashSet<>(found.unread(keys));
                Map<KeyBytes, StreamedFact> rows = byKey(found);
                for (Moved one : left) {
                    KeyBytes key = one.row().primaryKey();
                    if (unread.contains(key)) {
                        next.add(one);
                    } else {
                        judgeAgain(one, found, fact(one.row(), rows));
                    }
                }
            }
            left = next;
        }
    }

    private void judgeAgain(Moved one, FactReader.Found found, Optional<StreamedFact> fact)
            throws InterruptedException {
        RowObservation sight = one.sight()
                .beside(
                        found.from(),
                        fact.map(known -> new RowObservation.Fact(
                                known.version(),
                                derived(one.row(), known, one.sight().generation()))));
        if (sight.isForeign() || sight.version().equals(sight.factVersion())) {
            judge(one.row(), fact, sight);
        } else if (fact.isPresent() || !one.sight().isLive()) {
            // It has moved on once more, so the shard gets a newer version in any case.
            judge(one.row(), one.fact(), one.sight());
        } else {
            lookAgain(one);
        }
    }

    /** The keys that the table could have, each once. */
    private List<KeyBytes> keys(Collection<Row> rows) {
        return rows.stream()
                .filter(this::isAtHome)
                .map(Row::primaryKey)
                .distinct()
                .toList();
    }

    /**
     * The row is gone by now, and whether its newest version was the writer's shows once the shard has come that far.
     */
    private void lookAgain(Moved one) {
        Place place = new Place(one.row(), one.sight().generation());
        if (views.merge(place, 1, Integer::sum) >= MOST_VIEWS) {
            outcome.undecided(one.row(), one.sight().generation());
            return;
        }
        await(one.row(), one.sight().generation(), one.extra());
    }

    private void await(Row row, long generation, Set<KeyBytes> extra) {
        waiting.computeIfAbsent(row, other -> new TreeMap<>())
                .computeIfAbsent(generation, other -> new LinkedHashSet<>())
                .addAll(extra);
    }

    private static Map<KeyBytes, StreamedFact> byKey(FactReader.Found found) {
        Map<KeyBytes, StreamedFact> rows = new HashMap<>();
        found.rows().forEach(row -> row.ifPresent(fact -> rows.put(fact.key(), fact)));
        return rows;
    }

    /**
     * Up to which change each shard must have come for its rows to be judged: that of the newest row that was found, or
     * all that the facts may show where there is a row that the table has no more.
     */
    private static Map<ShardWindow, RowVersion> due(
            Set<Row> suspects, FactReader.Found found, Map<KeyBytes, StreamedFact> rows) {
        Map<ShardWindow, RowVersion> due = new HashMap<>();
        for (Row row : suspects) {
            StreamedFact fact = rows.get(row.primaryKey());
            RowVersion version = fact == null ? found.to() : fact.version();
            due.merge(row.shard(), version, (one, other) -> one.isAfter(other) ? one : other);
        }
        return due;
    }

    private void judge(Row row, Optional<StreamedFact> fact, RowObservation sight) throws InterruptedException {
        List<Difference> differences = RowVerifier.judge(sight);
        if (!differences.isEmpty() && wrongBytes < remembered && wrong.add(new Place(row, sight.generation()))) {
            wrongBytes += OBJECTS + row.primaryKey().length();
        }
        outcome.judged(row, sight, fact, differences);
    }

    /**
     * Whether there is a view of a shard that has all that is due, which is opened once the shard has come that far.
     */
    private boolean isThere(ShardWindow shard, Map<ShardWindow, RowVersion> due, Map<ShardWindow, ShardView> opened)
            throws CannotVerifyException, InterruptedException {
        if (opened.containsKey(shard)) {
            return true;
        }
        RowVersion version = due.getOrDefault(shard, RowVersion.NONE);
        boolean came = patience.until(() -> !version.isAfter(shard.through()));
        if (came) {
            opened.put(shard, shard.open());
        }
        return came;
    }

    private RowObservation sight(
            Row row,
            long generation,
            Set<KeyBytes> extra,
            Optional<StreamedFact> fact,
            FactReader.Found found,
            ShardView view) {
        Optional<RowState> state = view.rowState(row.primaryKey());
        Optional<RowObservation.Fact> derived =
                fact.map(known -> new RowObservation.Fact(known.version(), derived(row, known, generation)));
        Map<KeyBytes, Long> stated = state.<Map<KeyBytes, Long>>map(
                        known -> RowObservation.entries(known, row.primaryKey(), generation))
                .orElse(Map.of());
        Set<KeyBytes> places = new HashSet<>(extra);
        places.addAll(RowObservation.places(stated, derived));
        SortedMap<KeyBytes, KeyBytes> there = new TreeMap<>();
        places.forEach(place -> carried(view, generation, place).ifPresent(carried -> there.put(place, carried)));
        return new RowObservation(
                row.shard().partition(), row.primaryKey(), generation, found.from(), derived, state, there, false);
    }

    /** The row as the table has it, where that belongs to the shard. */
    private Optional<StreamedFact> fact(Row row, Map<KeyBytes, StreamedFact> rows) {
        int partition = row.shard().partition();
        return isAtHome(row)
                ? Optional.ofNullable(rows.get(row.primaryKey()))
                        .filter(fact -> homes.of(fact).contains(partition))
                : Optional.empty();
    }

    private DerivedRow derived(Row row, StreamedFact fact, long generation) {
        RowDeriver deriver = homes.deriver(row.shard().partition());
        DerivedRow derived =
                deriver.derive(fact.key(), fact.row().orElseThrow()).get(generation);
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
        return homes.canHold(row.shard().partition(), row.primaryKey());
    }
}
