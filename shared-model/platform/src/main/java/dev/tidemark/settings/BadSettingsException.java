package dev.tidemark.settings;

import dev.tidemark.row.BadInputException;

/** Settings that cannot be used; the message names the key, the value and what was expected. */
public final class BadSettingsException extends BadInputException {
    private static final long serialVersionUID = 1L;

    public BadSettingsException(String message) {
        super(message);
    }
}
