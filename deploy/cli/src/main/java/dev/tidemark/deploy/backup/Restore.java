package dev.tidemark.deploy.backup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.tidemark.runtime.DataDirectory;
import dev.tidemark.runtime.DirectoryInUseException;

/**
 * Puts a backup back: {@code writer/facts} and {@code worker/shards}, as they stand in the data directory of a stack.
 * The high-water mark and the topics are not part of a backup and stay as they are: the writer detects by them that its
 * tables went back in time.
 */
public final class Restore {
    private final Path backup;
    private final Path data;
    private final Manifest manifest;

    /** A directory that a backup holds, and where it belongs. */
    private enum Part {
        WRITER("writer", "facts"),
        WORKER("worker", "shards");

        private final String service;
        private final String directory;

        Part(String service, String directory) {
            this.service = service;
            this.directory = directory;
        }

        String prefix() {
            return service + "/" + directory + "/";
        }

        Path in(Path data) {
            return data.resolve(service).resolve(directory);
        }

        Path unfinished(Path data) {
            return data.resolve(service).resolve("." + directory + ".unfinished");
        }
    }

    private Restore(Path backup, Path data, Manifest manifest) {
        this.backup = backup;
        this.data = data;
        this.manifest = manifest;
    }

    /**
     * Puts a backup back; all of it, or nothing where it throws before the last step, which is moving into place.
     *
     * @param data the data directory of a stack whose writer and worker are stopped
     * @return the directories that were put back
     * @throws BackupException when the backup is damaged or incomplete, something is in its place already, or a service
     *     runs
     */
    public static List<Path> run(Path backup, Path data) throws BackupException, IOException {
        return new Restore(backup, data, Manifest.read(backup)).run();
    }

    private List<Path> run() throws BackupException, IOException {
        List<Part> parts = new ArrayList<>();
        for (Part part : Part.values()) {
            if (manifest.files().keySet().stream().anyMatch(path -> path.startsWith(part.prefix()))) {
                parts.add(part);
            }
        }
        if (parts.isEmpty()) {
            throw new BackupException(
                    "expected fact tables or shards in the backup " + backup + ", but it has neither");
        }
        List<DataDirectory> taken = new ArrayList<>();
        try {
            for (Part part : parts) {
                taken.add(DataDirectory.take(data.resolve(part.service)));
                requireNothingAt(part.in(data));
            }
            copyAll(parts);
            return moveIntoPlace(parts);
        } catch (DirectoryInUseException e) {
            throw new BackupException("expected writer and worker to be stopped, but " + e.getMessage());
        } finally {
            taken.forEach(DataDirectory::close);
        }
    }

    private static void requireNothingAt(Path place) throws BackupException, IOException {
        if (CheckedCopy.isTaken(place)) {
            throw new BackupException(
                    "expected nothing at " + place + ", but there are files: move them aside, then try again");
        }
    }

    private void copyAll(List<Part> parts) throws BackupException, IOException {
        boolean whole = false;
        try {
            for (Part part : parts) {
                copy(part);
            }
            whole = true;
        } finally {
            if (!whole) {
                for (Part part : parts) {
                    CheckedCopy.remove(part.unfinished(data));
                }
            }
        }
    }

    private void copy(Part part) throws BackupException, IOException {
        Path unfinished = part.unfinished(data);
        CheckedCopy.remove(unfinished);
        for (Map.Entry<String, FileChecksum> file : manifest.files().entrySet()) {
            if (file.getKey().startsWith(part.prefix())) {
                String inPart = file.getKey().substring(part.prefix().length());
                copy(file.getKey(), file.getValue(), unfinished.resolve(inPart));
            }
        }
    }

    private void copy(String path, FileChecksum expected, Path to) throws BackupException, IOException {
        Path file = backup.resolve(path);
        if (!Files.isRegularFile(file)) {
            throw new BackupException("the backup is incomplete: expected the file " + file + ", but it is not there");
        }
        FileChecksum found = CheckedCopy.file(file, to);
        if (!found.equals(expected)) {
            throw new BackupException("the backup is damaged: expected " + file + " to have " + expected.bytes()
                    + " bytes of checksum " + Long.toHexString(expected.checksum()) + ", but it has " + found.bytes()
                    + " bytes of checksum " + Long.toHexString(found.checksum()));
        }
    }

    private List<Path> moveIntoPlace(List<Part> parts) throws IOException {
        List<Path> restored = new ArrayList<>();
        for (Part part : parts) {
            Path place = part.in(data);
            // Nothing but empty directories, as was looked before.
            CheckedCopy.remove(place);
            Files.move(part.unfinished(data), place, StandardCopyOption.ATOMIC_MOVE);
            restored.add(place);
        }
        return restored;
    }
}
