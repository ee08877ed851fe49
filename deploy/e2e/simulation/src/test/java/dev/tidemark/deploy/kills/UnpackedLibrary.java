package dev.tidemark.deploy.kills;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

import org.rocksdb.util.Environment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * RocksDB's native library under the name that is looked for first: then no process unpacks it and leaves it behind.
 */
final class UnpackedLibrary {
    private UnpackedLibrary() {}

    /** Makes a directory with it. */
    static Path below(Path directory) throws IOException {
        Path made = Files.createDirectory(directory.resolve("library"));
        String name = Environment.getJniLibraryFileName("rocksdb");
        try (InputStream library = ClassLoader.getSystemResourceAsStream(name)) {
            assertThat(library).as("native library %s", name).isNotNull();
            Files.copy(library, made.resolve(System.mapLibraryName(Environment.getSharedLibraryName("rocksdb"))));
        }
        return made;
    }
}
