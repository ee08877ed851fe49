package dev.tidemark.worker.apply;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.tidemark.catalog.BadKeyException;
import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.MalformedKeyException;
import dev.tidemark.row.RowFields;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.store.IndexMutation;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.RowState.Entries;
import dev.tidemark.worker.store.RowState.Standing;

/**
 * The pure function from the known state of a row and an event to the changes.
 *
 * <ul>
 *   <li>An event whose version is not above the known one changes nothing, with two exceptions. {@code Forgotten} with
 *       the version that deleted the row removes the row state. An event with the version of a live row adds the
 *       entries of generations that the row lacks.
 *   <li>The present entries come only from the row state, never from an event's view of the row before.
 *   <li>An entry that stays as it is, is not touched.
 *   <li>A row that one index cannot hold has no entries there, and all its entries in the others.
 * </ul>
 */
public final class RowPlanner {
    private final TableDefinition table;
    private final int partition;
    private final boolean byIndex;
    private final RowDeriver deriver;
    private final RowFields fields;

    /** What a row has in each generation before anything is derived. */
    private final Map<Long, Entries> underived;

    /**
     * A planner for one shard.
     *
     * @param table for its key and partitions
     * @param generations those to plan for; what a row has in others is left alone and forgotten
     */
    public RowPlanner(TableDefinition table, int partition, List<Generation> generations) {
        this.table = table;
        this.partition = partition;
        this.byIndex = DerivedTable.isByIndex(table.name());
        this.deriver = new RowDeriver(generations, partition);
        this.fields = deriver.fields().and(table.keyFields());
        Map<Long, Entries> none = new HashMap<>();
        deriver.generations().forEach(generation -> none.put(generation, Entries.NONE));
        this.underived = Map.copyOf(none);
    }

    /** Whether the writer has to state the rows of the table that are there already. */
    boolean isDerived() {
        return DerivedTable.is(table.name());
    }

    /** The most rows to look up at a time: few if the state of any row may be megabytes. */
    int rowsAtOnce() {
        return deriver.mayGiveMany() ? RowLookup.FEW_ROWS : Integer.MAX_VALUE;
    }

    /** The fields of a row that planning reads. */
    RowFields fields() {
        return fields;
    }

    /** Why an event cannot be about the row whose key its record has; empty where it can. */
    Optional<String> misfit(ChangeEvent.Upserted event) {
        try {
            KeyBytes own = table.keyOf(fields.of(event.row()).fields());
            return own.equals(event.key())
                    ? Optional.empty()
                    : Optional.of("expected a row with the key of its record, but the row has another key");
        } catch (BadKeyException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /**
     * The part of an entry key that is heavy where many changes have it: all but the primary key, and of a global index
     * the first part alone, by which its entries have their partitions.
     */
    KeyBytes weighed(KeyBytes entryKey, KeyBytes primaryKey) {
        try {
            return byIndex
                    ? table.indexes().get(0).firstPart(entryKey)
                    : KeyBytes.wrap(Arrays.copyOf(entryKey.array(), entryKey.length() - primaryKey.length()));
        } catch (MalformedKeyException e) {
            throw new IllegalStateException("Expected an entry key of " + table.name() + ", but got " + entryKey, e);
        }
    }

    /** What an event changes. */
    public RowChange plan(Optional<RowState> known, ChangeEvent event) {
        if (known.isPresent() && !known.get().isSurpassedBy(event.version())) {
            return repeated(known.get(), event);
        }
        if (event instanceof ChangeEvent.Forgotten) {
            return new RowChange.Applied(Optional.empty(), removals(event.key(), known));
        }
        if (event instanceof ChangeEvent.Deleted) {
            RowState deleted = RowState.without(event.version(), Standing.DELETED);
            return new RowChange.Applied(Optional.of(deleted), removals(event.key(), known));
        }
        if (event instanceof ChangeEvent.Upserted upserted) {
            return upsert(known, upserted);
        }
        throw new AssertionError("unknown kind of event: " + event);
    }

    /**
     * Adds the entries of a row that was derived again, in generations that the row lacks.
     *
     * @param version the version of the derived row; nothing changes if it is not the known version of a live row
     */
    RowChange complete(Optional<RowState> known, KeyBytes key, RowVersion version, Map<Long, DerivedRow> derived) {
        if (known.isEmpty() || !isCurrent(known.get(), version)) {
            return new RowChange.Stale();
        }
        RowState state = known.get();
        Map<Long, Entries> entries = new HashMap<>(state.entries());
        entries.keySet().retainAll(deriver.generations());
        List<IndexMutation> mutations = new ArrayList<>();
        int before = entries.size();
        derived.forEach((generation, one) -> {
            if (deriver.generations().contains(generation)
                    && state.in(generation).isEmpty()) {
                put(generation, key, version, Entries.NONE, one, mutations);
                entries.put(generation, one.entries());
            }
        });
        return entries.size() == before
                ? new RowChange.Stale()
                : new RowChange.Applied(
                        Optional.of(new RowState(version, state.standing(), entries, state.times())), mutations);
    }

    /** Plans the repair of the entries of a row by its fact table, see {@link RepairPlanner}. */
    public RowChange repair(Optional<RowState> known, RowRepair repair) {
        return RepairPlanner.plan(deriver, known, repair);
    }

    /** The expected state of a row after an event with that version, before its entries are derived. */
    RowState imagined(RowVersion version, Standing standing) {
        return new RowState(version, standing, standing == Standing.LIVE ? underived : Map.of());
    }

    /** Whether an event that is not newer than the known state still changes something. */
    boolean adds(RowState known, ChangeEvent event) {
        return forgets(known, event)
                || (event instanceof ChangeEvent.Upserted
                        && isCurrent(known, event.version())
                        && !known.entries().keySet().containsAll(deriver.generations()));
    }

    /** The removal of everything that a row has. */
    List<IndexMutation> removals(KeyBytes primaryKey, Optional<RowState> known) {
        List<IndexMutation> mutations = new ArrayList<>();
        for (long generation : deriver.generations()) {
            Entries entries = entries(known, generation);
            for (KeyBytes key : entries.keys()) {
                mutations.add(new IndexMutation.RemoveEntry(generation, key.concat(primaryKey)));
            }
            if (entries.refusal().isPresent()) {
                mutations.add(new IndexMutation.Accept(generation, primaryKey));
            }
        }
        return mutations;
    }

    private RowChange repeated(RowState known, ChangeEvent event) {
        if (forgets(known, event)) {
            return new RowChange.Applied(Optional.empty(), List.of());
        }
        return event instanceof ChangeEvent.Upserted upserted && adds(known, event)
                ? complete(
                        Optional.of(known),
                        event.key(),
                        event.version(),
                        deriver.derive(upserted.key(), upserted.row()))
                : new RowChange.Stale();
    }

    private static boolean forgets(RowState known, ChangeEvent event) {
        return event instanceof ChangeEvent.Forgotten
                && known.standing() == Standing.DELETED
                && known.version().equals(event.version());
    }

    private static boolean isCurrent(RowState known, RowVersion version) {
        return known.isLive() && known.version().equals(version);
    }

    private RowChange upsert(Optional<RowState> known, ChangeEvent.Upserted event) {
        // Forged records leave states behind of rows that do not belong here.
        Optional<String> foreign = known.filter(RowState::isLive).isPresent() ? Optional.empty() : foreign(event.key());
        if (foreign.isPresent()) {
            return new RowChange.Poison(foreign.get());
        }
        List<IndexMutation> mutations = new ArrayList<>();
        Map<Long, Entries> entries = new HashMap<>();
        deriver.derive(event.key(), event.row()).forEach((generation, derived) -> {
            Entries before = entries(known, generation);
            put(generation, event.key(), event.version(), before, derived, mutations);
            entries.put(generation, derived.entries());
        });
        return new RowChange.Applied(Optional.of(new RowState(event.version(), Standing.LIVE, entries)), mutations);
    }

    /** Turns what a row has in one generation into what it should have. */
    static void put(
            long generation,
            KeyBytes primaryKey,
            RowVersion version,
            Entries before,
            DerivedRow derived,
            List<IndexMutation> mutations) {
        boolean same = before.fingerprint() == derived.entries().fingerprint();
        List<KeyBytes> old = before.keys();
        List<KeyBytes> wanted = derived.entries().keys();
        int left = 0;
        for (int i = 0; i < wanted.size(); i++) {
            // Both are in order, so what comes before the wanted one is not wanted.
            for (; left < old.size() && old.get(left).compareTo(wanted.get(i)) < 0; left++) {
                mutations.add(
                        new IndexMutation.RemoveEntry(generation, old.get(left).concat(primaryKey)));
            }
            boolean known = left < old.size() && old.get(left).equals(wanted.get(i));
            if (!known || !same) {
                mutations.add(
                        new IndexMutation.PutEntry(generation, derived.keys().get(i), derived.carried()));
            }
            left += known ? 1 : 0;
        }
        for (; left < old.size(); left++) {
            mutations.add(
                    new IndexMutation.RemoveEntry(generation, old.get(left).concat(primaryKey)));
        }
        Optional<String> refusal = derived.entries().refusal();
        if (refusal.isPresent()) {
            mutations.add(new IndexMutation.Refuse(generation, primaryKey, version, refusal.get()));
        } else if (before.refusal().isPresent()) {
            mutations.add(new IndexMutation.Accept(generation, primaryKey));
        }
    }

    private Optional<String> foreign(KeyBytes key) {
        try {
            table.keyToJson(key);
        } catch (MalformedKeyException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
        int home = byIndex ? partition : table.partitionOf(key);
        return home == partition
                ? Optional.empty()
                : Optional.of("expected a key of partition " + partition + ", but the key belongs to " + home);
    }

    private static Entries entries(Optional<RowState> known, long generation) {
        return known.flatMap(state -> state.in(generation)).orElse(Entries.NONE);
    }
}
