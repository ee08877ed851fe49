package dev.tidemark.worker.catalog;

/** The writer does not say at the moment which definitions are in force; the message says why. */
public final class WriterUnavailableException extends Exception {
    private static final long serialVersionUID = 1L;

    public WriterUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
