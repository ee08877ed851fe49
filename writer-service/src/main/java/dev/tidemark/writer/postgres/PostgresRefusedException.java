package dev.tidemark.writer.postgres;

import dev.tidemark.row.BadInputException;

/** The database is set up so that a commit that was acknowledged could be lost, or not kept as it is. */
public final class PostgresRefusedException extends BadInputException {
    private static final long serialVersionUID = 1L;

    PostgresRefusedException(String message) {
        super(message);
    }
}
