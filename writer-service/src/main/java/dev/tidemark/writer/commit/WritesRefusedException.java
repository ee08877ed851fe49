package dev.tidemark.writer.commit;

/** No write is taken at the moment; the message says why. Nothing of the request was applied. */
public final class WritesRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    public WritesRefusedException(String message) {
        super(message);
    }
}
