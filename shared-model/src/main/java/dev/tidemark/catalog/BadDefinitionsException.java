package dev.tidemark.catalog;

/** Bytes that should be definitions and are none: damaged, or written by something else. */
public final class BadDefinitionsException extends Exception {
    private static final long serialVersionUID = 1L;

    BadDefinitionsException(String message, Throwable cause) {
        super(message, cause);
    }
}
