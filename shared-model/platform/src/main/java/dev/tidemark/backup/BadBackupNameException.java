package dev.tidemark.backup;

import dev.tidemark.row.BadInputException;

/** A text that cannot be the name of a backup. */
public final class BadBackupNameException extends BadInputException {
    private static final long serialVersionUID = 1L;

    BadBackupNameException(String name) {
        super("expected a name of up to 63 lower-case letters, digits, - and _, but got " + name);
    }
}
