package dev.tidemark.worker.apply;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.index.DerivedEntries;
import dev.tidemark.index.EntryDeriver;
import dev.tidemark.index.Projection;
import dev.tidemark.index.UnindexableRowException;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.MalformedKeyException;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.store.IndexMutation;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.RowState.Entries;
import dev.tidemark.worker.store.RowState.Standing;

/**
 * The pure function from what is known of a row and an event to what changes.
 *
 * <ul>
 *   <li>An event whose version is not above the known one changes nothing. One exception: {@code Forgotten} of the very
 *       version that deleted the row lets it be forgotten.
 *   <li>Only the row state says which entries there are; an event's idea of the row before is never asked for.
 *   <li>An entry that stays as it is, is not touched.
 * </ul>
 */
public final class RowPlanner {
    private final TableDefinition table;
    private final int partition;
    private final List<EntryDeriver> derivers;

    public RowPlanner(TableDefinition table, int partition) {
        this.table = table;
        this.partition = partition;
        this.derivers = table.indexes().stream().map(EntryDeriver::new).toList();
    }

    /** What an event changes. */
    public Plan plan(Optional<RowState> known, ChangeEvent event) {
        if (known.isPresent() && !known.get().isSurpassedBy(event.version())) {
            return forgets(known.get(), event) ? new Plan.Applied(Optional.empty(), List.of()) : new Plan.Stale();
        }
        if (event instanceof ChangeEvent.Forgotten) {
            return new Plan.Applied(Optional.empty(), removals(event.key(), known));
        }
        if (event instanceof ChangeEvent.Deleted) {
            RowState deleted = withoutEntries(event.version(), Standing.DELETED);
            return new Plan.Applied(Optional.of(deleted), removals(event.key(), known));
        }
        if (event instanceof ChangeEvent.Upserted upserted) {
            return upsert(known, upserted);
        }
        throw new AssertionError("unknown kind of event: " + event);
    }

    /** What is left of a row that loses its entries. */
    RowState withoutEntries(RowVersion version, Standing standing) {
        return RowState.without(version, standing, derivers.size());
    }

    /** Whether an event that says nothing new allows the row to be forgotten. */
    static boolean forgets(RowState known, ChangeEvent event) {
        return event instanceof ChangeEvent.Forgotten
                && known.standing() == Standing.DELETED
                && known.version().equals(event.version());
    }

    private Plan upsert(Optional<RowState> known, ChangeEvent.Upserted event) {
        Optional<String> foreign = known.isPresent() ? Optional.empty() : foreign(event.key());
        if (foreign.isPresent()) {
            return new Plan.Poison(foreign.get());
        }
        List<IndexMutation> mutations = new ArrayList<>();
        List<Entries> indexes = new ArrayList<>(derivers.size());
        try {
            for (int i = 0; i < derivers.size(); i++) {
                Entries before = entries(known, i);
                DerivedEntries derived = derivers.get(i).derive(event.key(), event.row());
                indexes.add(difference(i, event.key(), before, derived, mutations));
            }
        } catch (UnindexableRowException e) {
            return new Plan.Poison(e.getMessage());
        }
        return new Plan.Applied(Optional.of(new RowState(event.version(), Standing.LIVE, indexes)), mutations);
    }

    private Entries difference(
            int index, KeyBytes primaryKey, Entries before, DerivedEntries derived, List<IndexMutation> mutations) {
        KeyBytes carried = derived.carried() == null
                ? KeyBytes.EMPTY
                : KeyBytes.wrap(derived.carried().bytes());
        Projection projection = derivers.get(index).index().projection();
        boolean whole = projection instanceof Projection.All;
        boolean same = !whole && before.carried().equals(carried);
        Set<KeyBytes> old = new HashSet<>(before.keys());
        List<KeyBytes> keys = new ArrayList<>(derived.keys().size());
        for (KeyBytes key : derived.keys()) {
            KeyBytes shortened = KeyBytes.wrap(Arrays.copyOf(key.array(), key.length() - primaryKey.length()));
            keys.add(shortened);
            if (!old.remove(shortened) || !same) {
                mutations.add(new IndexMutation.PutEntry(index, key, carried));
            }
        }
        old.forEach(gone -> mutations.add(new IndexMutation.RemoveEntry(index, gone.concat(primaryKey))));
        return new Entries(keys, whole ? KeyBytes.EMPTY : carried, derived.absence());
    }

    /** The removal of every entry that a row has. */
    List<IndexMutation> removals(KeyBytes primaryKey, Optional<RowState> known) {
        List<IndexMutation> mutations = new ArrayList<>();
        for (int i = 0; i < derivers.size(); i++) {
            for (KeyBytes key : entries(known, i).keys()) {
                mutations.add(new IndexMutation.RemoveEntry(i, key.concat(primaryKey)));
            }
        }
        return mutations;
    }

    private Optional<String> foreign(KeyBytes key) {
        try {
            table.keyToJson(key);
        } catch (MalformedKeyException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
        int home = table.partitionOf(key);
        return home == partition
                ? Optional.empty()
                : Optional.of("expected a key of partition " + partition + ", but the key belongs to " + home);
    }

    private static Entries entries(Optional<RowState> known, int index) {
        return known.map(state -> state.indexes().get(index)).orElse(Entries.NONE);
    }
}
