package dev.tidemark.worker.copy;

import java.time.Duration;
import java.util.Optional;

/** A worker gives no copy, or no more of one. */
public final class CopyRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Optional<Duration> retryAfter;

    /** The same question to the same worker helps after a while only where that is given. */
    public CopyRefusedException(String message, Optional<Duration> retryAfter) {
        super(message);
        this.retryAfter = retryAfter;
    }

    /** After what time the same question may help; empty where it does not. */
    public Optional<Duration> retryAfter() {
        return retryAfter;
    }
}
