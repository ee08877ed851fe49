package dev.tidemark.writer.commit;

/** The database of the fact tables cannot be reached, or did not do what was asked. Trying again may help. */
public final class FactsUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public FactsUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }

    public FactsUnavailableException(String message) {
        super(message);
    }
}
