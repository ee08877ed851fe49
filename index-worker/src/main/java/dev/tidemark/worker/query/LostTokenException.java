package dev.tidemark.worker.query;

import dev.tidemark.row.RowVersion;

/**
 * The fact table has gone back in time since the token was given out, and whether its write survived that cannot be told.
 * Asking again does not help.
 */
public final class LostTokenException extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * A token that asks for more than anybody can tell.
     *
     * @param asked what the token asks for
     * @param through what the partition is complete up to
     */
    LostTokenException(RowVersion asked, RowVersion through) {
        super("the token is of epoch " + asked.epoch() + ", and the fact table is in epoch " + through.epoch()
                + " now: it has gone back in time since, and whether the write survived that cannot be told; read the row"
                + " to see, and ask without the token");
    }
}
