package dev.tidemark.worker.explain;

import java.util.Arrays;
import java.util.Optional;

import dev.tidemark.index.Absence;
import dev.tidemark.index.DerivedEntries;
import dev.tidemark.index.EntryDeriver;
import dev.tidemark.index.UnindexableRowException;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.query.IndexNames;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.RowState.Standing;

/**
 * The pure function from what the shard and the writer say of a row to the reason why it is, or is not, in an index. What
 * the writer says must have been asked for before the shard was looked at, so that a shard that is level is seen to be.
 *
 * @param index the index asked about
 * @param key the row's encoded primary key
 */
record ExplainRule(IndexNames.Found index, KeyBytes key) {

    Outcome explain(RowSight sight, Asked fact) {
        Place place = Place.of(sight, index.generation().id());
        if (fact instanceof Asked.Found found) {
            RowVersion committed = found.row().version();
            boolean level =
                    sight.row().filter(row -> !committed.isAfter(row.version())).isPresent();
            if (!level && !sight.progress().covers(committed)) {
                return new Outcome.NotApplied(
                        Optional.of(committed), place, Ahead.of(committed, sight), derived(found.row()));
            }
            if (!level && sight.row().filter(RowState::isPoisoned).isEmpty()) {
                return new Outcome.Inconsistent(committed, Optional.empty());
            }
        }
        if (fact instanceof Asked.NoRow && isLive(sight)) {
            return new Outcome.NotApplied(Optional.empty(), place, Ahead.UNKNOWN, new Place.Deleted());
        }
        return standing(place, sight, fact);
    }

    /** Whether the shard holds a newer version of the row than the writer says, as it does where a change came in between. */
    static boolean isAhead(RowSight sight, Asked fact) {
        return fact instanceof Asked.Found found && isAhead(sight, found.row().version());
    }

    /** Whether the shard holds a newer version of the row than that. */
    static boolean isAhead(RowSight sight, RowVersion committed) {
        return sight.row().filter(row -> row.version().isAfter(committed)).isPresent();
    }

    private Outcome standing(Place place, RowSight sight, Asked fact) {
        if (place instanceof Place.Held held) {
            return new Outcome.InIndex(held);
        }
        if (place instanceof Place.LeftOut left) {
            return new Outcome.LeftOut(left.absence().or(() -> derivedAbsence(sight, fact)));
        }
        if (place instanceof Place.Quarantined quarantined) {
            return new Outcome.Quarantined(quarantined);
        }
        if (place instanceof Place.Deleted) {
            return new Outcome.Deleted(sight.row().map(RowState::version).orElse(RowVersion.NONE));
        }
        return fact instanceof Asked.NoAnswer ? new Outcome.NotKnown() : new Outcome.NoSuchRow();
    }

    /** The reason that nobody noted, where the row is still what it was. */
    private Optional<Absence> derivedAbsence(RowSight sight, Asked fact) {
        return fact instanceof Asked.Found found
                        && sight.row()
                                .filter(row -> row.version().equals(found.row().version()))
                                .isPresent()
                        && derived(found.row()) instanceof Place.LeftOut left
                ? left.absence()
                : Optional.empty();
    }

    /** Where the row of the fact table belongs. */
    private Place derived(FactTable.FactRow row) {
        try {
            DerivedEntries derived = new EntryDeriver(index.definition()).derive(key, row.row());
            return derived.absence().isPresent()
                    ? new Place.LeftOut(derived.absence())
                    : new Place.Held(derived.keys().stream().map(this::cut).toList());
        } catch (UnindexableRowException e) {
            return new Place.Quarantined(e.getMessage(), Optional.empty());
        }
    }

    private KeyBytes cut(KeyBytes whole) {
        return KeyBytes.wrap(Arrays.copyOf(whole.array(), whole.length() - key.length()));
    }

    private static boolean isLive(RowSight sight) {
        return sight.row().filter(row -> row.standing() == Standing.LIVE).isPresent();
    }
}
