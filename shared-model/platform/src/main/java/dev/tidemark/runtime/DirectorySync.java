package dev.tidemark.runtime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Makes the names in a directory survive a power cut. */
@FunctionalInterface
public interface DirectorySync {
    void sync(Path directory) throws IOException;

    /** Syncs a directory and all below it. */
    default void syncTree(Path root) throws IOException {
        try (Stream<Path> inside = Files.walk(root)) {
            for (Path directory : inside.filter(Files::isDirectory).toList()) {
                sync(directory);
            }
        }
    }
}
