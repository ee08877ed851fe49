package dev.tidemark.worker.explain;

import java.util.Optional;

import dev.tidemark.index.Absence;
import dev.tidemark.row.RowVersion;

/** Why a row is, or is not, in an index. */
public sealed interface RowStatus {

    /** The index holds the row in its newest state, as far as is known. */
    record InIndex(RowPosition.Held place) implements RowStatus {}

    /**
     * The row exists and the index does not hold it.
     *
     * @param absence why; empty when the shard recorded no reason and the row has changed since
     */
    record LeftOut(Optional<Absence> absence) implements RowStatus {}

    /**
     * The newest change of the row is committed and not applied here yet.
     *
     * @param waiting its version; empty for a delete, whose version only the change itself contains
     * @param now the position of the row until the change is applied
     * @param ahead what the change waits for
     * @param then the position of the row after that
     */
    record NotApplied(Optional<RowVersion> waiting, RowPosition now, PendingEstimate ahead, RowPosition then)
            implements RowStatus {}

    /** A record of the row could not be applied. */
    record Quarantined(RowPosition.Quarantined place) implements RowStatus {}

    /** The row was deleted by that version. */
    record Deleted(RowVersion version) implements RowStatus {}

    /** Neither the fact table nor the shard has such a row. */
    record NoSuchRow() implements RowStatus {}

    /** The shard has no such row, and the writer could not be queried for it. */
    record NotKnown() implements RowStatus {}

    /**
     * The shard has applied everything past the row's version and does not have the row, or it has a version that the
     * writer never assigned. This must not happen.
     *
     * @param committed the version in the fact table
     * @param foreign the version that the writer never assigned
     */
    record Inconsistent(RowVersion committed, Optional<RowVersion> foreign) implements RowStatus {}

    /** The index has no entry of such a row; the writer was not queried for the row. */
    record NotInIndex() implements RowStatus {}

    /**
     * This process does not hold the row's partition.
     *
     * @param reason why not
     */
    record NotHeld(String reason) implements RowStatus {}
}
