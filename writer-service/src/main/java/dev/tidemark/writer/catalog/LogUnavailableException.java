package dev.tidemark.writer.catalog;

/** The log cannot be read or written at the moment; trying again later may help. */
public final class LogUnavailableException extends Exception {
    private static final long serialVersionUID = 1L;

    public LogUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }

    public LogUnavailableException(String message) {
        super(message);
    }
}
