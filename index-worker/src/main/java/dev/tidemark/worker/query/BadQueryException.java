package dev.tidemark.worker.query;

import dev.tidemark.row.BadInputException;
import dev.tidemark.row.ProblemType;

/** A question that an index cannot be asked. The message says what was expected, for whoever asked. */
public final class BadQueryException extends BadInputException {
    private static final long serialVersionUID = 1L;

    public BadQueryException(String message) {
        super(message);
    }

    /** The same for what is beyond a limit, which is named for programs. */
    public BadQueryException(String message, ProblemType limit) {
        super(message, limit);
    }
}
