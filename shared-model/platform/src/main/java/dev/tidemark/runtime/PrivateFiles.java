package dev.tidemark.runtime;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Files and directories that only the user of the process may read, where the file system knows permissions. */
public final class PrivateFiles {
    private static final FileAttribute<?>[] NONE = {};

    private PrivateFiles() {}

    /** Makes a directory, and those above it, where they are absent. */
    public static void createDirectories(Path directory) throws IOException {
        Files.createDirectories(directory, attributes("rwx------"));
    }

    /** Makes an empty file where it is absent. */
    public static void create(Path file) throws IOException {
        try {
            Files.createFile(file, attributes("rw-------"));
        } catch (FileAlreadyExistsException e) {
            // It keeps what its owner has allowed since.
            return;
        }
    }

    /** Whether other users of the machine have any permission on a file or directory. */
    public static boolean isOpenToOthers(Path path) throws IOException {
        if (!knowsPermissions()) {
            return false;
        }
        Set<PosixFilePermission> allowed = Files.getPosixFilePermissions(path);
        allowed.removeAll(PosixFilePermissions.fromString("rwx------"));
        return !allowed.isEmpty();
    }

    /** The names in a directory survive a power cut when this returns, where the system can do that. */
    public static void sync(Path directory) throws IOException {
        if (knowsPermissions()) {
            try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }

    /** Removes a directory with all it holds; nothing where it is absent. */
    public static void removeDirectory(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            List<Path> innermostFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : innermostFirst) {
                Files.deleteIfExists(file);
            }
        }
    }

    private static FileAttribute<?>[] attributes(String permissions) {
        return knowsPermissions()
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : NONE;
    }

    private static boolean knowsPermissions() {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    }
}
