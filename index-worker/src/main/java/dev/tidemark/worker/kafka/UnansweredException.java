package dev.tidemark.worker.kafka;

import org.jspecify.annotations.Nullable;

/** The brokers did not answer a request. A retry may help. */
final class UnansweredException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnansweredException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
