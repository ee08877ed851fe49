package dev.tidemark.runtime;

import java.nio.file.Path;

/** Another process uses the data directory. */
public final class DirectoryInUseException extends Exception {
    private static final long serialVersionUID = 1L;

    public DirectoryInUseException(Path path) {
        super("data directory " + path
                + " is in use by another process; stop that one, or choose another directory with"
                + " --set data.dir=DIR");
    }
}
