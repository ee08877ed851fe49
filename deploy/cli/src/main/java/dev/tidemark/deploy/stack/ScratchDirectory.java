package dev.tidemark.deploy.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A temporary directory that is gone when it is closed. */
public record ScratchDirectory(Path path) implements AutoCloseable {
    /** Makes one below a directory, whose disk is the one that is synced. */
    public static ScratchDirectory below(Path parent) throws IOException {
        return new ScratchDirectory(Files.createTempDirectory(parent, "tidemark-"));
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> paths = Files.walk(path)) {
            for (Path each : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        }
    }
}
