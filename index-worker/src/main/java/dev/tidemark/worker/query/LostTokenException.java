package dev.tidemark.worker.query;

import dev.tidemark.row.RowVersion;

/**
 * The fact table has gone back in time since the token was issued, and it is unknown whether its write survived. A
 * retry does not help.
 */
public final class LostTokenException extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * A token of an earlier epoch than the partition.
     *
     * @param asked the row version that the token requires
     * @param through the row version up to which the partition is complete
     */
    LostTokenException(RowVersion asked, RowVersion through) {
        super("the token is of epoch " + asked.epoch() + ", and the fact table is in epoch " + through.epoch()
                + " now: it has gone back in time since, and whether the write survived is not known; read the row to"
                + " see, and query without the token");
    }

    /** What another worker said. */
    LostTokenException(String message) {
        super(message);
    }
}
