package dev.tidemark.worker.explain;

import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

import dev.tidemark.index.Absence;
import dev.tidemark.row.RowVersion;

/**
 * Where a row, or one write of it, stands in one index.
 *
 * @param kind the answer
 * @param now the position of the row that the answer is about; until a pending change is applied, its present position
 * @param then the position of the row after the pending change; unknown in any other answer
 * @param ahead what the pending change waits for; unknown in any other answer
 * @param committed the version in the fact table, where the answer depends on it; empty for a pending delete, whose
 *     version only the change itself contains
 * @param held the version that the shard holds, where the answer depends on it; empty when it is forgotten
 * @param since when that version was applied, by the writer's clock; empty where that was not recorded
 */
public record RowStatus(
        Kind kind,
        RowPosition now,
        RowPosition then,
        PendingEstimate ahead,
        Optional<RowVersion> committed,
        Optional<RowVersion> held,
        Optional<Instant> since) {

    /** The answers about a row, then those about one write of it. Some are answers about either. */
    public enum Kind {
        /** The index holds the row in its newest state, as far as is known. */
        IN_INDEX,
        /** A condition of the index leaves the row out. */
        FILTERED,
        /** The row has no value for a key part of the index. */
        NO_VALUE,
        /** The index has no entry of the row; for an answer about a row, without a recorded reason. */
        NOT_APPLICABLE,
        /** The newest change of the row is committed and not applied here yet. */
        NOT_APPLIED,
        /** A record of the row could not be applied, and its entries were taken out. */
        QUARANTINED,
        /** The row was deleted. */
        DELETED,
        /** Neither the fact table nor the shard has such a row. */
        NO_SUCH_ROW,
        /** The shard has no such row, and the writer could not be queried for it. */
        NOT_KNOWN,
        /** The index has no entry of such a row; the writer was not queried for the row. */
        NOT_IN_INDEX,
        /** This process does not hold the row's partition. */
        NOT_HELD,
        /**
         * The shard has applied everything past the row's version and does not have the row, or it holds a version that
         * the writer never assigned. This must not happen.
         */
        INCONSISTENT,
        /** Queries see the write: the entries are there, or, for a delete, gone. */
        VISIBLE,
        /** Queries do not see the write yet. */
        PENDING,
        /** A newer version has replaced the write. */
        SUPERSEDED;

        /** The name in answers. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static RowStatus of(Kind kind, RowPosition now) {
        return new RowStatus(
                kind,
                now,
                new RowPosition.Unknown(),
                PendingEstimate.UNKNOWN,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** The row exists, and the index leaves it out. */
    static RowStatus leftOut(Optional<Absence> absence) {
        Kind kind = absence.map(why -> why instanceof Absence.Filtered ? Kind.FILTERED : Kind.NO_VALUE)
                .orElse(Kind.NOT_APPLICABLE);
        return of(kind, new RowPosition.LeftOut(absence));
    }

    RowStatus versions(Optional<RowVersion> inFactTable, Optional<RowVersion> inShard) {
        return new RowStatus(kind, now, then, ahead, inFactTable, inShard, since);
    }

    RowStatus waiting(PendingEstimate estimate, RowPosition after) {
        return new RowStatus(kind, now, after, estimate, committed, held, since);
    }

    RowStatus since(Optional<Instant> applied) {
        return new RowStatus(kind, now, then, ahead, committed, held, applied);
    }
}
