package dev.tidemark.worker.explain;

import dev.tidemark.row.RowVersion;

/** There is no receipt for a token. The message gives the reason to the client. A retry does not help. */
public final class NoReceiptException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean gone;

    /**
     * No receipt.
     *
     * @param gone whether there may have been one before
     */
    public NoReceiptException(boolean gone, String message) {
        super(message);
        this.gone = gone;
    }

    /** Whether there may have been a receipt once: the fact table has gone back in time since. */
    public boolean isGone() {
        return gone;
    }

    /**
     * Refuses a token of an epoch that is over.
     *
     * @param version the version of the token
     * @param through a version of the present epoch
     */
    static void requireEpoch(RowVersion version, RowVersion through) throws NoReceiptException {
        if (version.epoch() < through.epoch()) {
            throw new NoReceiptException(
                    true,
                    "the token is of epoch " + version.epoch() + ", and the fact table is in epoch " + through.epoch()
                            + " now: it has gone back in time since, and whether the write survived is not known;"
                            + " read the row to see");
        }
    }
}
