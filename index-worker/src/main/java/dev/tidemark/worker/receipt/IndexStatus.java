package dev.tidemark.worker.receipt;

import java.time.Instant;
import java.util.Optional;

import dev.tidemark.index.Absence;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.explain.PendingEstimate;
import dev.tidemark.worker.explain.RowPosition;
import dev.tidemark.worker.explain.RowSnapshot;
import dev.tidemark.worker.store.RowState;

/** The status of a write in one index. */
public sealed interface IndexStatus {

    /**
     * Queries see it: the entries are there, or, for a delete, gone.
     *
     * @param since when it was applied, by the writer's clock; empty where that was not noted, or is forgotten
     */
    record Visible(Optional<Instant> since) implements IndexStatus {}

    /** Queries do not see it yet. */
    record Pending(PendingEstimate ahead) implements IndexStatus {}

    /**
     * It is applied, and the index has no entry of such a row.
     *
     * @param absence why; empty where that was not noted
     */
    record NotApplicable(Optional<Absence> absence, Optional<Instant> since) implements IndexStatus {}

    /** A record of the row could not be applied, and its entries were taken out. */
    record Quarantined(String reason, Optional<Instant> at) implements IndexStatus {}

    /**
     * A newer version has taken its place.
     *
     * @param by the newer version; empty when it is a delete so old that it is forgotten
     * @param now where the row stands because of it
     * @param since when the newer version was applied
     */
    record Superseded(Optional<RowVersion> by, RowPosition now, Optional<Instant> since) implements IndexStatus {}

    /**
     * The shard holds the row in a version that the writer never gave.
     *
     * @param committed the version in the fact table
     */
    record Inconsistent(RowVersion foreign, RowVersion committed) implements IndexStatus {}

    /**
     * Returns the status of a write in one index.
     *
     * @param finding status of the version, neither {@link VersionStatus.OtherEpoch} nor
     *     {@link VersionStatus.NeverSeen}
     * @param generation of the index
     */
    static IndexStatus of(VersionStatus finding, RowVersion version, RowSnapshot sight, long generation) {
        Optional<Instant> since = sight.row().flatMap(RowState::times).map(RowState.Times::appliedAt);
        RowPosition place = RowPosition.of(sight, generation);
        if (finding instanceof VersionStatus.Pending || sight.isRestoring(generation)) {
            return new Pending(PendingEstimate.of(version, sight));
        }
        if (finding instanceof VersionStatus.Superseded superseded) {
            return new Superseded(Optional.of(superseded.by().version()), place, since);
        }
        if (finding instanceof VersionStatus.Forgotten) {
            return new Superseded(Optional.empty(), new RowPosition.Deleted(), Optional.empty());
        }
        if (place instanceof RowPosition.LeftOut left) {
            return new NotApplicable(left.absence(), since);
        }
        if (place instanceof RowPosition.Quarantined quarantined) {
            return new Quarantined(quarantined.reason(), quarantined.at());
        }
        return new Visible(since);
    }
}
