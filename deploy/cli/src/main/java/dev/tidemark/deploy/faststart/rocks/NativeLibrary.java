package dev.tidemark.deploy.faststart.rocks;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

import org.rocksdb.RocksDB;
import org.rocksdb.util.Environment;

import dev.tidemark.deploy.faststart.NativeCode;

/**
 * RocksDB's native library, under the name by which a virtual machine looks for it. Otherwise each process unpacks its
 * own copy into the temporary directory, and leaves it there when it is killed.
 */
public final class NativeLibrary implements NativeCode {
    private static final String NAME = "rocksdbjni";

    /** Loads it into this process, from where Java looks for it; returns why it cannot be loaded. */
    public static Optional<String> load() {
        try {
            RocksDB.loadLibrary();
            return Optional.empty();
        } catch (UnsatisfiedLinkError | RuntimeException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void unpack(Path directory) throws IOException {
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
