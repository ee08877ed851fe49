package dev.tidemark.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Files for their owner alone. */
public final class SecretFiles {
    private SecretFiles() {}

    /** Writes the text, with apostrophes as quotation marks. */
    public static Path write(Path file, String text) {
        try {
            Files.writeString(file, text.replace('\'', '"'));
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
