package dev.tidemark.writer.commit;

/** More writes wait than the committer may hold. Nothing of the request was applied. */
public final class QueueFullException extends Exception {
    private static final long serialVersionUID = 1L;

    QueueFullException(String message) {
        super(message);
    }
}
