package dev.tidemark.writer.outbox;

/** Whether this writer is the one of its deployment that publishes; for any thread. */
public interface Leadership {
    /** Whether this writer may publish now. Once it was true and is false, it stays false. */
    boolean isHeld();

    /**
     * Whether the writer that published before had another data directory, to which changes may have been committed.
     */
    boolean isTakenOver();
}
