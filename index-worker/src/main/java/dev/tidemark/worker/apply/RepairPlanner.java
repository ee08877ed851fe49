package dev.tidemark.worker.apply;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.worker.store.IndexMutation;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.RowState.Entries;
import dev.tidemark.worker.store.RowState.Standing;
import dev.tidemark.worker.store.RowState.Times;

/**
 * The pure function from the known state of a row and its row in the fact table to the changes that make both equal.
 *
 * <ul>
 *   <li>A row known in a later version is left alone, unless the writer never assigned that version.
 *   <li>Entries that the row should have are put, whether or not they seem to be there.
 *   <li>Other entries of the row that are known or were found are removed, and no others.
 * </ul>
 */
final class RepairPlanner {
    private final Optional<RowState> known;
    private final RowRepair repair;
    private final List<IndexMutation> mutations = new ArrayList<>();

    private RepairPlanner(Optional<RowState> known, RowRepair repair) {
        this.known = known;
        this.repair = repair;
    }

    static RowChange plan(RowDeriver deriver, Optional<RowState> known, RowRepair repair) {
        if (known.isPresent() && repair.isOlderThan(known.get().version())) {
            return new RowChange.Stale();
        }
        RepairPlanner planner = new RepairPlanner(known, repair);
        return repair.fact().isPresent() ? planner.put(deriver, repair.fact().get()) : planner.remove(deriver);
    }

    private RowChange put(RowDeriver deriver, RowRepair.Fact fact) {
        Map<Long, Entries> entries = new HashMap<>();
        deriver.derive(repair.primaryKey(), fact.row()).forEach((generation, derived) -> {
            turn(generation, derived);
            entries.put(generation, derived.entries());
        });
        Optional<Times> times =
                known.filter(state -> state.version().equals(fact.version())).flatMap(RowState::times);
        return new RowChange.Applied(
                Optional.of(new RowState(fact.version(), Standing.LIVE, entries, times)), mutations);
    }

    private RowChange remove(RowDeriver deriver) {
        DerivedRow nothing = new DerivedRow(List.of(), KeyBytes.EMPTY, Entries.NONE);
        deriver.generations().forEach(generation -> turn(generation, nothing));
        return new RowChange.Applied(known.map(this::withoutRow), mutations);
    }

    private void turn(long generation, DerivedRow derived) {
        // Nothing is known of what entries carry that may have been tampered with.
        long other = ~derived.entries().fingerprint();
        RowPlanner.put(
                generation, repair.primaryKey(), repair.version(), before(generation, other), derived, mutations);
    }

    /** What the row has, or may have. */
    private Entries before(long generation, long fingerprint) {
        Entries stated = known.flatMap(state -> state.in(generation)).orElse(Entries.NONE);
        Set<KeyBytes> keys = new TreeSet<>(stated.keys());
        for (KeyBytes seen : repair.seen().getOrDefault(generation, Set.of())) {
            keys.add(KeyBytes.wrap(Arrays.copyOf(
                    seen.array(), seen.length() - repair.primaryKey().length())));
        }
        return new Entries(List.copyOf(keys), fingerprint, stated.absence(), stated.refusal());
    }

    private RowState withoutRow(RowState state) {
        boolean told = state.standing() == Standing.DELETED && !state.version().isAfter(repair.version());
        return told ? state : RowState.without(repair.version(), Standing.DELETED);
    }
}
