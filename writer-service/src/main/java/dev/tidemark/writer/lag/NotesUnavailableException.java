package dev.tidemark.writer.lag;

/** The notes of the workers cannot be had at the moment. */
public final class NotesUnavailableException extends Exception {
    private static final long serialVersionUID = 1L;

    public NotesUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
