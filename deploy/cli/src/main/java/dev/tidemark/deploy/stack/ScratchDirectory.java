package dev.tidemark.deploy.stack;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

import dev.tidemark.runtime.PrivateFiles;

/** A temporary directory that is gone when it is closed. */
public record ScratchDirectory(Path path) implements AutoCloseable {
    private static final String PREFIX = "tidemark-";

    /** Makes one below a directory, whose disk is the one that is synced. */
    public static ScratchDirectory below(Path parent) throws IOException {
        return new ScratchDirectory(Files.createTempDirectory(parent, PREFIX));
    }

    /** Removes those below a directory that killed processes have left there. No other process may use one. */
    public static void removeLeftovers(Path parent) throws IOException {
        try (DirectoryStream<Path> leftovers = Files.newDirectoryStream(parent, PREFIX + "*")) {
            for (Path leftover : leftovers) {
                new ScratchDirectory(leftover).close();
            }
        }
    }

    @Override
    public void close() throws IOException {
        PrivateFiles.removeDirectory(path);
    }
}
