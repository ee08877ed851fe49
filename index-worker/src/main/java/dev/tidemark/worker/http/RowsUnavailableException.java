package dev.tidemark.worker.http;

/** The writer did not answer with the rows that it was asked for; the message says why. */
final class RowsUnavailableException extends Exception {
    private static final long serialVersionUID = 1L;

    RowsUnavailableException(String message) {
        super(message);
    }
}
