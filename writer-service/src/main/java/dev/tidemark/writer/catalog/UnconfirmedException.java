package dev.tidemark.writer.catalog;

/**
 * Definitions cannot be changed at the moment, or a change is not enforced or published yet, or it is not known whether
 * it was made; the message says which.
 */
public final class UnconfirmedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean outcomeKnown;

    private UnconfirmedException(String message) {
        this(message, true);
    }

    private UnconfirmedException(String message, boolean outcomeKnown) {
        super(message);
        this.outcomeKnown = outcomeKnown;
    }

    /** Whether it is known that the change was made, or that it was not. */
    public boolean isOutcomeKnown() {
        return outcomeKnown;
    }

    /** The store failed at the change, which may be stored all the same. */
    static UnconfirmedException unsaved(long version) {
        return new UnconfirmedException(
                "the store of the definitions failed at version " + version + ", which may be stored all the same."
                        + " See which version is in force before you send the change again",
                false);
    }

    /** The store failed at an earlier change, and still fails. */
    static UnconfirmedException unsettled() {
        return new UnconfirmedException("nothing was changed: the store of the definitions failed at an earlier change,"
                + " and cannot be read yet to find out whether it has that change. Send the request again in a moment");
    }

    /** Later definitions than those stored here may have been published in the past. */
    static UnconfirmedException unknown(String obstacle) {
        return new UnconfirmedException(
                "nothing was changed: the writer does not know yet which definitions it published before it was started, so"
                        + " a version could be given twice (" + obstacle
                        + "). See to it that the broker answers, then send the"
                        + " change again; it needs no other version unless a later one has come into force");
    }

    /** The log holds what this writer must not replace. */
    static UnconfirmedException refused(String reason) {
        return new UnconfirmedException(
                "nothing was changed: this writer does not publish definitions, because " + reason);
    }

    /** The log does not take anything now. */
    static UnconfirmedException unpublishable(String reason) {
        return new UnconfirmedException("nothing was changed: definitions cannot be published at the moment (" + reason
                + "). Send the change again when the broker answers");
    }

    /** The change was made, and writes that were checked before may still be committed. */
    static UnconfirmedException unenforced(long version) {
        return new UnconfirmedException("version " + version
                + " of the definitions is on disk and in force at the writer, but a commit that began"
                + " before has not ended, and its rows may not obey this version. Do not send the change again");
    }

    /** The change was made, and the log did not take it. */
    static UnconfirmedException waiting(long version, String reason) {
        return new UnconfirmedException(
                "version " + version + " of the definitions is on disk and in force at the writer, and"
                        + " waits to be published (" + reason + "). Do not send the change again");
    }
}
