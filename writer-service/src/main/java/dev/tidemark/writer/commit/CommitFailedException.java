package dev.tidemark.writer.commit;

/** The fact table could not take a commit; the writes in it must be taken as not done, and may be sent again. */
public final class CommitFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    CommitFailedException(String message, Throwable cause) {
        super(message, cause);
    }

    CommitFailedException(String message) {
        super(message);
    }
}
