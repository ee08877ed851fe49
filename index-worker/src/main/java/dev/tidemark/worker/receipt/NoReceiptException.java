package dev.tidemark.worker.receipt;

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
}
