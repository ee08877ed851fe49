package dev.tidemark.deploy.backup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A backup that is being made; it counts only once it is {@linkplain #complete() complete}. For one thread. */
public final class NewBackup {
    private final Path root;
    private final Manifest manifest = Manifest.empty();

    private NewBackup(Path root) {
        this.root = root;
    }

    /**
     * Begins a backup.
     *
     * @param root where it is kept; absent or empty
     * @throws BackupException when there is something already
     */
    public static NewBackup at(Path root) throws BackupException, IOException {
        if (CheckedCopy.isTaken(root)) {
            throw new BackupException("expected nothing at " + root + " yet, but there are files");
        }
        Files.createDirectories(root);
        return new NewBackup(root);
    }

    /**
     * Moves what a service has copied to the backup.
     *
     * @param service {@code writer} or {@code worker}
     * @param made the directory that the service has made on this machine, which is gone afterwards
     * @return bytes of its files
     * @throws BackupException when it is not on this machine
     */
    public long take(String service, Path made) throws BackupException, IOException {
        if (!Files.isDirectory(made)) {
            throw new BackupException("expected the copy that the " + service + " made at " + made
                    + ", but it is not there: tidemark backup runs on the machine of the service");
        }
        long bytes = 0;
        for (Path file : CheckedCopy.filesBelow(made)) {
            String path =
                    service + "/" + file.toString().replace(file.getFileSystem().getSeparator(), "/");
            FileChecksum note = CheckedCopy.file(made.resolve(file), root.resolve(path));
            manifest.files().put(path, note);
            bytes += note.bytes();
        }
        CheckedCopy.remove(made);
        return bytes;
    }

    /** Writes down what it holds. */
    public void complete() throws IOException {
        manifest.write(root);
    }
}
