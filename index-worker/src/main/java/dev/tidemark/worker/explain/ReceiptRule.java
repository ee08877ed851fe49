package dev.tidemark.worker.explain;

import java.time.Instant;
import java.util.Optional;

import dev.tidemark.progress.Progress;
import dev.tidemark.progress.SessionToken.WrittenRow;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.explain.RowStatus.Kind;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.RowState.Standing;

/**
 * The pure function from a shard's snapshot of a row to the status of one write of it in an index.
 *
 * @param version the version that the write made
 */
record ReceiptRule(WrittenRow written, RowVersion version, RowSnapshot sight) {

    /** What the snapshot shows of the version. */
    enum Finding {
        /** It has not come by yet. */
        PENDING,
        /** The row is as this version left it, or in quarantine because of it. */
        APPLIED,
        /** A newer version has taken its place. */
        SUPERSEDED,
        /** The row was deleted later, and the shard has since dropped its row state. */
        FORGOTTEN
    }

    /**
     * What the snapshot shows of the version.
     *
     * @throws NoReceiptException when the fact table has gone back in time since, or there was no such write
     */
    Finding finding() throws NoReceiptException {
        Progress progress = sight.progress();
        Optional<RowState> row = sight.row();
        if (row.isPresent() && !version.isAfter(row.get().version())) {
            RowVersion newest = row.get().version();
            if (newest.equals(version)) {
                return Finding.APPLIED;
            }
            NoReceiptException.requireEpoch(version, newest);
            return Finding.SUPERSEDED;
        }
        if (!progress.covers(version)) {
            return Finding.PENDING;
        }
        NoReceiptException.requireEpoch(version, progress.through());
        if (row.isEmpty()) {
            return written.deleted() ? Finding.APPLIED : Finding.FORGOTTEN;
        }
        // A record whose version cannot be read stands for every version after the row's own.
        if (row.get().standing() == Standing.POISONED_PAST) {
            return Finding.APPLIED;
        }
        throw new NoReceiptException(
                false,
                "the partition is complete up to version " + progress.through() + ", which is past version " + version
                        + " of this token, but the row has version " + row.get().version()
                        + "; no such write was committed here, so the token may be of another installation");
    }

    /** The status of the write in one generation of an index. */
    RowStatus status(Finding finding, long generation) {
        Optional<Instant> since = sight.row().flatMap(RowState::times).map(RowState.Times::appliedAt);
        RowPosition place = RowPosition.of(sight, generation);
        if (finding == Finding.PENDING || sight.isRestoring(generation)) {
            return RowStatus.of(Kind.PENDING, new RowPosition.Unknown())
                    .waiting(PendingEstimate.of(version, sight), new RowPosition.Unknown());
        }
        if (finding == Finding.FORGOTTEN) {
            return RowStatus.of(Kind.SUPERSEDED, new RowPosition.Deleted());
        }
        if (finding == Finding.SUPERSEDED) {
            return RowStatus.of(Kind.SUPERSEDED, place)
                    .versions(Optional.empty(), sight.row().map(RowState::version))
                    .since(since);
        }
        Kind visible = place instanceof RowPosition.LeftOut ? Kind.NOT_APPLICABLE : Kind.VISIBLE;
        return place instanceof RowPosition.Quarantined
                ? RowStatus.of(Kind.QUARANTINED, place)
                : RowStatus.of(visible, place).since(since);
    }
}
