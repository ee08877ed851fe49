package dev.tidemark.writer.rocks;

import java.nio.file.Path;

/** A data directory that another version of the service wrote. */
public final class WrongFormatException extends Exception {
    private static final long serialVersionUID = 1L;

    WrongFormatException(Path path, long expected, long found) {
        super("the store at " + path + " has format " + found + ", but this version of the service reads format "
                + expected);
    }
}
