package dev.tidemark.writer.outbox;

/** Whether this writer is the one of its deployment that publishes; for any thread. */
public interface Leadership {
    /** Whether this writer may publish now. Once it was true and is false, it stays false. */
    boolean isHeld();

    /**
     * The first epoch in which this writer may give versions, because one with another data directory may have given
     * any before it; 0 for any. It holds once {@link #isHeld()} was true.
     */
    long leastEpoch();
}
