package dev.tidemark.writer.lag;

/** The progress of the workers cannot be read at the moment. */
public final class WorkerProgressUnavailableException extends Exception {
    private static final long serialVersionUID = 1L;

    public WorkerProgressUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
