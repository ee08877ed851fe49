package dev.tidemark.catalog;

import dev.tidemark.row.BadInputException;

/** An order that the definitions give no ground for: its index is not there, or there is nothing to return to. */
public final class OperationRefusedException extends BadInputException {
    private static final long serialVersionUID = 1L;

    OperationRefusedException(String message) {
        super(message);
    }
}
