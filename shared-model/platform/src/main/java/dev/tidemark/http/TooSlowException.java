package dev.tidemark.http;

import java.io.IOException;

/** A client moves bytes more slowly than it may. */
final class TooSlowException extends IOException {
    private static final long serialVersionUID = 1L;

    TooSlowException(String message) {
        super(message);
    }
}
