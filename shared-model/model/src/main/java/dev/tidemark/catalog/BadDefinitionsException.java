package dev.tidemark.catalog;

import dev.tidemark.row.BadInputException;

/** Bytes that should be definitions and are none: damaged, or written by something else. */
public final class BadDefinitionsException extends BadInputException {
    private static final long serialVersionUID = 1L;

    BadDefinitionsException(String message) {
        super(message);
    }
}
