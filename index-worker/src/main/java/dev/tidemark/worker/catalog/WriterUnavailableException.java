package dev.tidemark.worker.catalog;

/** The writer does not return the definitions in force at the moment; the message contains the reason. */
public final class WriterUnavailableException extends Exception {
    private static final long serialVersionUID = 1L;

    public WriterUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
