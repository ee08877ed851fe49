package dev.tidemark.worker.apply;

import java.time.Instant;
import java.util.Optional;

import dev.tidemark.change.ExpectedPosition;

/**
 * Decides whether a record of a partition proves that everything before it in commit order is also before it in the
 * partition.
 *
 * <p>A record at the offset that its writer expected is no proof by that alone: a record of another producer, or a late
 * one of a closed producer, may stand in the place of a missing record. A record therefore counts as proof only if the
 * writer, when it sent the record, knew the last offset that looked wrong.
 */
final class Continuity {
    private long session;

    /** The offset after the last record that looked wrong. */
    private long doubtful;

    /** The offset behind the last record. */
    private long end;

    /**
     * Nothing is known of what stands before an offset.
     *
     * @param offset where the partition is read from
     */
    Continuity(long offset) {
        this.doubtful = offset;
        this.end = offset;
    }

    /**
     * Checks the next record.
     *
     * @param latest no record that the writer wrote has a later time
     * @return whether the record proves that everything before it is there
     */
    boolean isProof(LogRecord logged, Instant latest) {
        long before = end;
        end = logged.offset() + 1;
        Optional<ExpectedPosition> header = ExpectedPosition.of(logged.record().headers());
        if (header.isEmpty()) {
            doubtful = end;
            // Writers of older versions did not send the header, and are trusted.
            return true;
        }
        ExpectedPosition said = header.get();
        if (!isOfNewest(said.session(), before, latest) || said.offset() != logged.offset()) {
            doubtful = end;
            return false;
        }
        if (logged.offset() > before) {
            // Compaction may have removed a record that looked wrong.
            doubtful = logged.offset();
        }
        return said.known() >= doubtful;
    }

    private boolean isOfNewest(long said, long before, Instant latest) {
        if (said == 0) {
            return true;
        }
        if (said < session || !ExpectedPosition.isBelievable(said, latest)) {
            return false;
        }
        if (said > session) {
            // What an earlier producer sent may be where one of this one is missing.
            doubtful = before;
        }
        session = said;
        return true;
    }
}
