package dev.tidemark.progress;

import dev.tidemark.row.BadInputException;

/** A text that is not a token, or a token that does not belong here. The message is fit for the sender. */
public final class BadTokenException extends BadInputException {
    private static final long serialVersionUID = 1L;

    public BadTokenException(String message) {
        super(message);
    }
}
