package dev.tidemark.worker.define;

/** The writer does not say at the moment which definitions are in force; the message says why. */
public final class WriterSilentException extends Exception {
    private static final long serialVersionUID = 1L;

    public WriterSilentException(String message, Throwable cause) {
        super(message, cause);
    }
}
