package dev.tidemark.backup;

/** There is a copy of that name already. */
public final class BackupExistsException extends Exception {
    private static final long serialVersionUID = 1L;

    BackupExistsException(String name) {
        super("expected a name that no backup has, but there is one named " + name);
    }
}
