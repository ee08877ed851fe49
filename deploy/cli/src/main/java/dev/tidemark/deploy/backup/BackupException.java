package dev.tidemark.deploy.backup;

import dev.tidemark.row.BadInputException;

/** A backup cannot be made or put back as asked. The message says what was expected and found. */
public final class BackupException extends BadInputException {
    private static final long serialVersionUID = 1L;

    BackupException(String message) {
        super(message);
    }
}
