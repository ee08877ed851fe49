package dev.tidemark.catalog;

import dev.tidemark.row.BadInputException;
import dev.tidemark.row.ProblemType;

/** A row without a usable primary key, or a key that a table cannot have. The message is fit for the sender. */
public final class BadKeyException extends BadInputException {
    private static final long serialVersionUID = 1L;

    public BadKeyException(String message) {
        super(message);
    }

    /** The same for what is beyond a limit, which is named for programs. */
    public BadKeyException(String message, ProblemType limit) {
        super(message, limit);
    }
}
