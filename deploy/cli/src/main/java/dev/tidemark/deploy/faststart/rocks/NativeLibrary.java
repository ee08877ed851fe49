package dev.tidemark.deploy.faststart.rocks;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

import org.rocksdb.RocksDB;
import org.rocksdb.util.Environment;

/**
 * RocksDB's native library as a file, under the name by which a virtual machine looks for it. Otherwise each process
 * unpacks its own copy of 17 MB into the temporary directory, and leaves it there when it is killed.
 *
 * @param directory what {@code java.library.path} will be
 */
public record NativeLibrary(Path directory) {
    private static final String NAME = "rocksdbjni";

    /**
     * Writes the one for this platform, in one step, over what was there.
     *
     * @throws FileNotFoundException when RocksDB has none for this platform
     */
    public void unpack() throws IOException {
        String packed = Environment.getJniLibraryFileName("rocksdb");
        try (InputStream library = RocksDB.class.getResourceAsStream("/" + packed)) {
            if (library == null) {
                throw new FileNotFoundException("RocksDB has no " + packed);
            }
            Files.createDirectories(directory);
            Path part = Files.createTempFile(directory, NAME, ".part");
            Files.copy(library, part, StandardCopyOption.REPLACE_EXISTING);
            Files.move(
                    part,
                    directory.resolve(System.mapLibraryName(NAME)),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
