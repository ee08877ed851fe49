package dev.tidemark.worker.query;

import dev.tidemark.row.BadInputException;
import dev.tidemark.row.ProblemType;

/** The index cannot answer this query. The message says what was expected, for the client. */
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
