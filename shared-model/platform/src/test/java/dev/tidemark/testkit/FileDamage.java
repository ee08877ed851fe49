package dev.tidemark.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** What disks do to the files of a database that is closed. */
public enum FileDamage {
    /** A byte in the middle is another one. */
    FLIPPED {
        @Override
        public void applyTo(Path file) throws IOException {
            byte[] bytes = Files.readAllBytes(file);
            bytes[bytes.length / 2] ^= 0x40;
            Files.write(file, bytes);
        }
    },
    /** The last bytes are lacking. */
    TRUNCATED {
        @Override
        public void applyTo(Path file) throws IOException {
            byte[] bytes = Files.readAllBytes(file);
            Files.write(file, Arrays.copyOf(bytes, Math.max(0, bytes.length - 37)));
        }
    },
    /** It is gone. */
    MISSING {
        @Override
        public void applyTo(Path file) throws IOException {
            Files.delete(file);
        }
    };

    /** Damages a file. */
    public abstract void applyTo(Path file) throws IOException;

    /**
     * Damages the largest file of a directory whose name has an ending.
     *
     * @param ending {@code .sst} for tables, {@code .log} for write-ahead logs
     */
    public void ofLargest(Path directory, String ending) {
        try (Stream<Path> all = Files.list(directory)) {
            List<Path> files = all.filter(file -> file.toString().endsWith(ending))
                    .sorted(Comparator.comparingLong(file -> file.toFile().length()))
                    .toList();
            if (files.isEmpty()) {
                throw new AssertionError("expected files ending in " + ending + " in " + directory);
            }
            applyTo(files.get(files.size() - 1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
