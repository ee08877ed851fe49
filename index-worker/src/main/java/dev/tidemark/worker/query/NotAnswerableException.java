package dev.tidemark.worker.query;

/** The question is a good one, but cannot be answered truthfully now; the message says why. Asking again may help. */
public final class NotAnswerableException extends Exception {
    private static final long serialVersionUID = 1L;

    public NotAnswerableException(String message) {
        super(message);
    }
}
