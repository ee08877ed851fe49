package dev.tidemark.catalog;

import dev.tidemark.row.BadInputException;

/** Definitions that cannot be used: they are damaged, written by something else, or do not go with a catalog file. */
public final class BadDefinitionsException extends BadInputException {
    private static final long serialVersionUID = 1L;

    public BadDefinitionsException(String message) {
        super(message);
    }
}
