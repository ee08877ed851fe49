package dev.tidemark.change;

import dev.tidemark.row.BadInputException;

/** A record that is not a message of this format; the message says what was expected and found. */
public final class MalformedChangeException extends BadInputException {
    private static final long serialVersionUID = 1L;

    public MalformedChangeException(String message) {
        super(message);
    }
}
