package dev.tidemark.worker.query;

/** There is no index of the name asked for; the message lists those that there are. */
public final class UnknownIndexException extends Exception {
    private static final long serialVersionUID = 1L;

    UnknownIndexException(String message) {
        super(message);
    }
}
