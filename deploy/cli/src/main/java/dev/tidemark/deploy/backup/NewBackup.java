package dev.tidemark.deploy.backup;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

import dev.tidemark.runtime.DirectorySync;
import dev.tidemark.runtime.PrivateFiles;

/**
 * A backup that is being made; it counts only once it is {@linkplain #complete() complete}, and is removed when it is
 * closed before. The copies that services made are removed in both cases. For one thread, and another one that may
 * close it in the middle.
 */
public final class NewBackup implements AutoCloseable {
    private final Path root;
    private final boolean made;
    private final DirectorySync sync;
    private final Manifest manifest = Manifest.empty();

    /** What services have made, by service. */
    private final Map<String, Path> copies = new TreeMap<>();

    private boolean complete;
    private boolean closed;

    private NewBackup(Path root, boolean made, DirectorySync sync) {
        this.root = root;
        this.made = made;
        this.sync = sync;
    }

    /**
     * Begins a backup.
     *
     * @param root where it is kept; absent or empty
     * @throws BackupException when there is something already
     */
    public static NewBackup at(Path root) throws BackupException, IOException {
        return at(root, PrivateFiles::sync);
    }

    static NewBackup at(Path root, DirectorySync sync) throws BackupException, IOException {
        if (CheckedCopy.isTaken(root)) {
            throw new BackupException("expected nothing at " + root + " yet, but there are files");
        }
        boolean made = !Files.exists(root);
        if (made) {
            PrivateFiles.createDirectories(root);
        }
        return new NewBackup(root.toRealPath(), made, sync);
    }

    /**
     * Copies what a service has made to the backup.
     *
     * @param service {@code writer} or {@code worker}
     * @param copy the directory that the service has made on this machine
     * @return bytes of its files
     * @throws BackupException when it cannot be seen here, or this was closed meanwhile
     */
    public long take(String service, Path copy) throws BackupException, IOException {
        List<Path> files;
        try {
            files = CheckedCopy.filesBelow(copy);
        } catch (IOException e) {
            throw unseen(service, copy, e);
        }
        begin(service, copy);
        long bytes = 0;
        for (Path file : files) {
            String path =
                    service + "/" + file.toString().replace(file.getFileSystem().getSeparator(), "/");
            bytes += take(copy.resolve(file), path);
        }
        return bytes;
    }

    private synchronized void begin(String service, Path copy) throws BackupException, IOException {
        if (closed) {
            // It came too late for the one that closes.
            PrivateFiles.removeDirectory(copy);
            throw interrupted();
        }
        copies.put(service, copy);
    }

    /** One file, so that the one that closes waits no longer than for that. */
    private synchronized long take(Path file, String path) throws BackupException, IOException {
        if (closed) {
            throw interrupted();
        }
        FileChecksum note = CheckedCopy.file(file, root.resolve(path));
        manifest.files().put(path, note);
        return note.bytes();
    }

    private static BackupException interrupted() {
        return new BackupException("expected to complete the backup, but it was interrupted, and is removed");
    }

    /** Whether it was not closed yet. */
    public synchronized boolean isOpen() {
        return !closed;
    }

    /** Only its service can remove such a copy, or a person. */
    static BackupException unseen(String service, Path copy, IOException why) {
        return new BackupException("expected the copy that the " + service + " made at " + copy + ", but "
                + (why instanceof AccessDeniedException
                        ? "this user may not enter it: tidemark backup runs as the user of the service"
                        : "it is not there: tidemark backup runs on the machine of the service")
                + ". The copy stays where the " + service + " made it, and takes space: remove it there");
    }

    /**
     * Writes down what it holds; a power cut does not take anything of it when the call returns.
     *
     * @throws BackupException when this was closed meanwhile
     */
    public synchronized void complete() throws BackupException, IOException {
        if (closed) {
            throw interrupted();
        }
        manifest.write(root);
        sync.syncTree(root);
        if (made) {
            sync.sync(Objects.requireNonNull(root.getParent()));
        }
        complete = true;
    }

    /** Removes what does not stay; nothing when this was closed before. */
    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        for (Path copy : copies.values()) {
            PrivateFiles.removeDirectory(copy);
        }
        if (!complete) {
            for (String service : copies.keySet()) {
                PrivateFiles.removeDirectory(root.resolve(service));
            }
            Manifest.remove(root);
            if (made) {
                Files.delete(root);
            }
        }
    }
}
