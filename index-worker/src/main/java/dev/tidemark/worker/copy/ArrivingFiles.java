package dev.tidemark.worker.copy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.tidemark.runtime.PrivateFiles;

/**
 * The files of a copy as they come in. Each has its checksum in its name until all are whole, so that a copy from
 * another holder goes on only with what is the same there.
 */
record ArrivingFiles(Path directory) {
    private interface DiskWork<T> {
        T run() throws IOException;
    }

    /** Removes what a copy does not have. */
    void keepOnly(CopyList copy) {
        Set<Path> wanted = copy.files().stream().map(this::partly).collect(Collectors.toSet());
        onDisk(() -> {
            try (Stream<Path> present = Files.list(directory)) {
                for (Path file : present.filter(each -> !wanted.contains(each)).toList()) {
                    PrivateFiles.removeDirectory(file);
                }
            }
            return true;
        });
    }

    /** How many bytes the disk has left. */
    long room() {
        return onDisk(() -> Files.getFileStore(directory).getUsableSpace());
    }

    /** How many bytes of a file are there. */
    long length(CopiedFile file) {
        return onDisk(() -> Files.exists(partly(file)) ? Files.size(partly(file)) : 0);
    }

    /** How many bytes of a copy are there. */
    long length(CopyList copy) {
        return copy.files().stream().mapToLong(this::length).sum();
    }

    /** Adds bytes at the end of a file. */
    void add(CopiedFile file, byte[] bytes) {
        onDisk(() -> Files.write(partly(file), bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND));
    }

    void remove(CopiedFile file) {
        onDisk(() -> Files.deleteIfExists(partly(file)));
    }

    /** Whether a file is what its holder has. If so, it survives a power cut. */
    boolean isRight(CopiedFile file) {
        return onDisk(() -> {
            add(file, new byte[0]);
            if (Files.size(partly(file)) != file.bytes()
                    || !CopiedFile.sumOf(partly(file)).equals(file.sha256())) {
                return false;
            }
            try (FileChannel channel = FileChannel.open(partly(file), StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            return true;
        });
    }

    /** Gives all files, which are right, the names that the database knows. */
    void name(CopyList copy) {
        onDisk(() -> {
            for (CopiedFile file : copy.files()) {
                Files.move(partly(file), directory.resolve(file.name()), StandardCopyOption.ATOMIC_MOVE);
            }
            PrivateFiles.sync(directory);
            return true;
        });
    }

    private Path partly(CopiedFile file) {
        return directory.resolve(file.name() + "." + file.sha256());
    }

    private <T> T onDisk(DiskWork<T> work) {
        try {
            return work.run();
        } catch (IOException e) {
            throw new UncheckedIOException("Expected to keep a copy in " + directory + ", but " + e, e);
        }
    }
}
