package dev.tidemark.worker.query;

/** There is no memory left for another answer now. */
public final class NoMemoryException extends NotAnswerableException {
    private static final long serialVersionUID = 1L;

    public NoMemoryException() {
        super("the memory for answers is in use by other requests");
    }
}
