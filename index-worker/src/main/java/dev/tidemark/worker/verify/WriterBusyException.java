package dev.tidemark.worker.verify;

/** The writer sends as many tables as it can at a time, and may send this one later. */
public final class WriterBusyException extends CannotVerifyException {
    private static final long serialVersionUID = 1L;

    public WriterBusyException(String reason) {
        super(reason);
    }
}
