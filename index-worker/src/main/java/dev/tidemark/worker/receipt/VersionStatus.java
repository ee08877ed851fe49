package dev.tidemark.worker.receipt;

import java.util.Optional;

import dev.tidemark.progress.Progress;
import dev.tidemark.progress.SessionToken.WrittenRow;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.explain.RowSnapshot;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.RowState.Standing;

/** The status of one version of a row, derived from a shard's snapshot of the row. */
sealed interface VersionStatus {

    /** It has not come by yet. */
    record Pending() implements VersionStatus {}

    /** The row is as this version left it, or in quarantine because of it. */
    record Applied() implements VersionStatus {}

    /** A newer version has taken its place. */
    record Superseded(RowState by) implements VersionStatus {}

    /** The row was deleted later, and the shard has since dropped its row state. */
    record Forgotten() implements VersionStatus {}

    /** The fact table has gone back in time since, and it is unknown whether the write survived. */
    record OtherEpoch(RowVersion through) implements VersionStatus {}

    /** The shard is complete past this version and has never seen it of this row. */
    record NeverSeen(RowVersion through, Optional<RowVersion> newest) implements VersionStatus {}

    static VersionStatus of(WrittenRow written, RowVersion version, RowSnapshot sight) {
        Progress progress = sight.progress();
        Optional<RowState> row = sight.row();
        boolean moved = version.epoch() < progress.through().epoch();
        if (row.isPresent() && !version.isAfter(row.get().version())) {
            RowState state = row.get();
            if (state.version().equals(version)) {
                return new Applied();
            }
            return state.version().epoch() == version.epoch() ? new Superseded(state) : new OtherEpoch(state.version());
        }
        if (!progress.covers(version)) {
            return new Pending();
        }
        if (moved) {
            return new OtherEpoch(progress.through());
        }
        if (row.isEmpty()) {
            return written.deleted() ? new Applied() : new Forgotten();
        }
        // A record whose version cannot be read stands for every version after the row's own.
        return row.get().standing() == Standing.POISONED_PAST
                ? new Applied()
                : new NeverSeen(progress.through(), row.map(RowState::version));
    }
}
