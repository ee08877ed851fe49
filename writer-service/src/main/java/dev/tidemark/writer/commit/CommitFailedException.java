package dev.tidemark.writer.commit;

/** The fact table could not take a commit. */
public final class CommitFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean outcomeKnown;

    /** Nothing was applied. */
    CommitFailedException(String message, Throwable cause) {
        super(message, cause);
        outcomeKnown = true;
    }

    /** Nothing was applied. */
    CommitFailedException(String message) {
        this(message, true);
    }

    /** The commit failed so that it may be in the table. */
    CommitFailedException(Throwable cause) {
        super("the fact table could not be written; whether it was changed is not known", cause);
        outcomeKnown = false;
    }

    private CommitFailedException(String message, boolean outcomeKnown) {
        super(message);
        this.outcomeKnown = outcomeKnown;
    }

    /** The commit is in the table, and may be undone by another writer. */
    static CommitFailedException unknown(String reason) {
        return new CommitFailedException(reason + "; whether the write lasts is not known", false);
    }

    /** Whether it is certain that nothing was applied. */
    public boolean isOutcomeKnown() {
        return outcomeKnown;
    }
}
