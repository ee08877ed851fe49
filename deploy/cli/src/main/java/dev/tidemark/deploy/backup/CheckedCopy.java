package dev.tidemark.deploy.backup;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;

import dev.tidemark.runtime.PrivateFiles;

/** Copies and lists files. */
final class CheckedCopy {
    private CheckedCopy() {}

    /** Copies a file, making the directories above it, for this user alone; on disk when the call returns. */
    static FileChecksum file(Path from, Path to) throws IOException {
        PrivateFiles.createDirectories(
                Objects.requireNonNull(to.toAbsolutePath().getParent()));
        PrivateFiles.create(to);
        try (CheckedInputStream in = new CheckedInputStream(Files.newInputStream(from), new CRC32C());
                FileChannel out = FileChannel.open(to, StandardOpenOption.WRITE)) {
            long bytes = in.transferTo(Channels.newOutputStream(out));
            out.force(true);
            return new FileChecksum(bytes, in.getChecksum().getValue());
        }
    }

    /** The files below a directory, relative to it. */
    static List<Path> filesBelow(Path directory) throws IOException {
        try (Stream<Path> tree = Files.walk(directory)) {
            return tree.filter(Files::isRegularFile)
                    .map(directory::relativize)
                    .sorted()
                    .toList();
        }
    }

    /** Whether there is something at a place, or where a link there leads: a file, or a directory that holds one. */
    static boolean isTaken(Path place) throws IOException {
        return Files.exists(place) && !filesBelow(place.toRealPath()).isEmpty();
    }
}
