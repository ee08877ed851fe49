package dev.tidemark.worker.apply;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.UpsertKind;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.RowState.Standing;

/**
 * All records of one row in a batch, folded into one plan. Only the newest event is planned; a record after it that
 * cannot be applied replaces it. The result is the same as that of applying the records one by one.
 */
final class RowFold {
    private final RowPlanner planner;
    private final KeyBytes key;
    private Optional<RowState> known;
    private Optional<RowState> imagined;
    private RowVersion forgotten = RowVersion.NONE;
    private DecodedRecord.@Nullable Good newest;
    private DecodedRecord.@Nullable Bad poison;
    private int applied;
    private int stale;
    private int quarantined;

    /**
     * The result of a fold.
     *
     * @param plan what to change; empty when all records were stale
     * @param poison the record to keep in quarantine; empty when the row is well afterwards, or nothing changed
     * @param committedAt when the change was committed that is the row's new state; empty when there is none
     * @param counts how many records were applied, stale or quarantined
     */
    record Result(
            Optional<RowChange.Applied> plan,
            Optional<DecodedRecord.Bad> poison,
            Optional<Instant> committedAt,
            ApplyCounts counts) {}

    private RowFold(RowPlanner planner, KeyBytes key, Optional<RowState> known) {
        this.planner = planner;
        this.key = key;
        this.known = known;
        this.imagined = known;
    }

    /** Folds. */
    static Result fold(RowPlanner planner, KeyBytes key, Optional<RowState> known, List<DecodedRecord> records) {
        RowFold fold = new RowFold(planner, key, known);
        for (DecodedRecord record : records) {
            if (record instanceof DecodedRecord.Good good) {
                fold.see(good);
            } else if (record instanceof DecodedRecord.Bad bad) {
                fold.see(bad);
            } else {
                throw new AssertionError("unknown kind of record: " + record);
            }
        }
        return fold.result();
    }

    private void see(DecodedRecord.Good good) {
        ChangeEvent event = good.event();
        if (!dismisses(good) && !isNews(good)) {
            stale++;
            return;
        }
        applied++;
        newest = good;
        poison = null;
        if (event instanceof ChangeEvent.Forgotten) {
            // A row that is read again after this may be older than what is known, and is taken all the same.
            known = known.map(RowState::inNoVersion);
            imagined = Optional.empty();
            forgotten = event.version().isAfter(forgotten) ? event.version() : forgotten;
        } else {
            imagined =
                    imagine(event.version(), event instanceof ChangeEvent.Deleted ? Standing.DELETED : Standing.LIVE);
        }
    }

    private boolean isNews(DecodedRecord.Good good) {
        ChangeEvent event = good.event();
        return imagined.isEmpty()
                ? (event.version().isAfter(forgotten) && event.version().isAfter(good.told())) || isReadAgain(event)
                : imagined.get().isSurpassedBy(event.version()) || planner.adds(imagined.get(), event);
    }

    /**
     * Whether an event of the writer, which has no such row, ends the quarantine of the row. The fold ignores the
     * version in a quarantined record, because the record need not be the writer's. An event before the version that
     * was already applied is outdated, because a newer record has followed it. An event with exactly that version
     * counts, because a writer that has nothing to commit has no later version to assign.
     */
    private boolean dismisses(DecodedRecord.Good good) {
        return good.event() instanceof ChangeEvent.Forgotten
                && !good.told().isAfter(good.event().version())
                && imagined.filter(RowState::isPoisoned).isPresent();
    }

    private static boolean isReadAgain(ChangeEvent event) {
        return event instanceof ChangeEvent.Upserted row && row.operation() == UpsertKind.READ;
    }

    /**
     * A record above the ceiling counts only if the shard applied it before the ceiling was known. True changes of the
     * row come after it.
     */
    private void refuse(DecodedRecord.Bad bad, RowVersion ceiling) {
        if (imagined.isPresent() && !imagined.get().version().isAfter(ceiling)) {
            stale++;
            return;
        }
        quarantined++;
        poison = bad;
        newest = null;
        known = known.map(RowState::inNoVersion);
        imagined = imagine(RowVersion.NONE, Standing.POISONED_PAST);
    }

    private void see(DecodedRecord.Bad bad) {
        if (bad.ceiling().isPresent()) {
            refuse(bad, bad.ceiling().get());
            return;
        }
        Optional<RowVersion> version = bad.version();
        if (version.isPresent() && imagined.isPresent() && !imagined.get().isSurpassedBy(version.get())) {
            stale++;
            return;
        }
        quarantined++;
        poison = bad;
        imagined = version.isPresent()
                ? imagine(version.get(), Standing.POISONED_AT)
                : imagine(imagined.map(RowState::version).orElse(RowVersion.NONE), Standing.POISONED_PAST);
    }

    private Result result() {
        if (poison != null) {
            return poisoned(poison);
        }
        if (newest == null) {
            return new Result(Optional.empty(), Optional.empty(), Optional.empty(), counts());
        }
        RowChange plan = planner.plan(known, newest.event());
        if (plan instanceof RowChange.Poison unfit) {
            applied--;
            quarantined++;
            imagined = imagine(newest.event().version(), Standing.POISONED_AT);
            return poisoned(new DecodedRecord.Bad(
                    newest.source(), unfit.reason(), Optional.of(newest.event().version()), Optional.empty()));
        }
        if (plan instanceof RowChange.Applied change) {
            boolean another =
                    known.isEmpty() || known.get().isSurpassedBy(newest.event().version());
            return new Result(
                    Optional.of(change),
                    Optional.empty(),
                    another ? Optional.of(newest.event().committedAt()) : Optional.empty(),
                    counts());
        }
        ApplyCounts nothing = new ApplyCounts(0, stale + applied, quarantined);
        return new Result(Optional.empty(), Optional.empty(), Optional.empty(), nothing);
    }

    private Result poisoned(DecodedRecord.Bad bad) {
        return new Result(
                Optional.of(new RowChange.Applied(imagined, planner.removals(key, known))),
                Optional.of(bad),
                Optional.empty(),
                counts());
    }

    private ApplyCounts counts() {
        return new ApplyCounts(applied, stale, quarantined);
    }

    private Optional<RowState> imagine(RowVersion version, Standing standing) {
        return Optional.of(planner.imagined(version, standing));
    }
}
