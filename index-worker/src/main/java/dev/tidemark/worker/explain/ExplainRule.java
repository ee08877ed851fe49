package dev.tidemark.worker.explain;

import java.util.Arrays;
import java.util.Optional;

import dev.tidemark.index.Absence;
import dev.tidemark.index.DerivedEntries;
import dev.tidemark.index.EntryDeriver;
import dev.tidemark.index.UnindexableRowException;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.explain.RowStatus.Kind;
import dev.tidemark.worker.query.IndexNames;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.RowState.Standing;

/**
 * The pure function from a row in the shard and at the writer to the reason why it is, or is not, in an index. The
 * writer must be queried before the shard is read. Otherwise a shard that has applied everything could look behind.
 *
 * @param index the index of the request
 * @param key the row's encoded primary key
 */
record ExplainRule(IndexNames.Found index, KeyBytes key) {

    RowStatus explain(RowSnapshot sight, FactLookup fact) {
        RowPosition place = RowPosition.of(sight, index.generation().id());
        if (fact instanceof FactLookup.Found found) {
            RowVersion committed = found.row().version();
            boolean level =
                    sight.row().filter(row -> !committed.isAfter(row.version())).isPresent();
            if (!level && !sight.progress().covers(committed)) {
                return RowStatus.of(Kind.NOT_APPLIED, place)
                        .versions(Optional.of(committed), Optional.empty())
                        .waiting(PendingEstimate.of(committed, sight), derived(found.row()));
            }
            if (!level && sight.row().filter(RowState::isPoisoned).isEmpty()) {
                return RowStatus.of(Kind.INCONSISTENT, place).versions(Optional.of(committed), Optional.empty());
            }
        }
        if (fact instanceof FactLookup.NoRow && isLive(sight)) {
            return RowStatus.of(Kind.NOT_APPLIED, place).waiting(PendingEstimate.UNKNOWN, new RowPosition.Deleted());
        }
        return standing(place, sight, fact);
    }

    /**
     * Whether the shard holds a newer version of the row than the writer's answer, as it does if a change came in
     * between.
     */
    static boolean isAhead(RowSnapshot sight, FactLookup fact) {
        return fact instanceof FactLookup.Found found
                && isAhead(sight, found.row().version());
    }

    /** Whether the shard holds a newer version of the row than that. */
    static boolean isAhead(RowSnapshot sight, RowVersion committed) {
        return sight.row().filter(row -> row.version().isAfter(committed)).isPresent();
    }

    private RowStatus standing(RowPosition place, RowSnapshot sight, FactLookup fact) {
        if (place instanceof RowPosition.LeftOut left) {
            return RowStatus.leftOut(left.absence().or(() -> derivedAbsence(sight, fact)));
        }
        if (place instanceof RowPosition.Deleted) {
            return RowStatus.of(Kind.DELETED, place)
                    .versions(Optional.empty(), sight.row().map(RowState::version));
        }
        Kind unknown = fact instanceof FactLookup.NoAnswer ? Kind.NOT_KNOWN : Kind.NO_SUCH_ROW;
        Kind other = place instanceof RowPosition.Quarantined ? Kind.QUARANTINED : unknown;
        return RowStatus.of(place instanceof RowPosition.Held ? Kind.IN_INDEX : other, place);
    }

    /** Derives an absence reason that the shard did not record, if the row has not changed since. */
    private Optional<Absence> derivedAbsence(RowSnapshot sight, FactLookup fact) {
        return fact instanceof FactLookup.Found found
                        && sight.row()
                                .filter(row -> row.version().equals(found.row().version()))
                                .isPresent()
                        && derived(found.row()) instanceof RowPosition.LeftOut left
                ? left.absence()
                : Optional.empty();
    }

    /** Where the row of the fact table belongs. */
    private RowPosition derived(FactTable.FactRow row) {
        try {
            DerivedEntries derived = new EntryDeriver(index.definition()).derive(key, row.row());
            return derived.absence().isPresent()
                    ? new RowPosition.LeftOut(derived.absence())
                    : new RowPosition.Held(
                            derived.keys().stream().map(this::cut).toList());
        } catch (UnindexableRowException e) {
            return new RowPosition.Quarantined(e.getMessage(), Optional.empty());
        }
    }

    private KeyBytes cut(KeyBytes whole) {
        return KeyBytes.wrap(Arrays.copyOf(whole.array(), whole.length() - key.length()));
    }

    private static boolean isLive(RowSnapshot sight) {
        return sight.row().filter(row -> row.standing() == Standing.LIVE).isPresent();
    }
}
