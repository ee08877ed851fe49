package dev.tidemark.row;

/** Bytes that are stored as a row cannot be read as one. */
public final class UnreadableRowException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    UnreadableRowException(String reason, Throwable cause) {
        super("Expected a stored row, but " + reason, cause);
    }

    UnreadableRowException(String reason) {
        super("Expected a stored row, but " + reason);
    }
}
