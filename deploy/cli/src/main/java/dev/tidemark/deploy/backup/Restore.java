package dev.tidemark.deploy.backup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.tidemark.runtime.DataDirectory;
import dev.tidemark.runtime.DirectoryInUseException;
import dev.tidemark.runtime.DirectorySync;
import dev.tidemark.runtime.PrivateFiles;

/**
 * Puts a backup back: {@code writer/facts} and {@code worker/shards}, as they stand in the data directory of a stack.
 * The high-water mark and the topics are not part of a backup and stay as they are: the writer detects by them that its
 * tables went back in time.
 */
public final class Restore {
    private final Path backup;
    private final Path data;
    private final Manifest manifest;
    private final DirectorySync sync;

    private Restore(Path backup, Path data, Manifest manifest, DirectorySync sync) {
        this.backup = backup;
        this.data = data;
        this.manifest = manifest;
        this.sync = sync;
    }

    /**
     * Puts parts of a backup back; all of them, or nothing where it throws before the last step, which is moving into
     * place.
     *
     * @param wanted those of them that the backup holds
     * @param data the data directory of a stack whose writer and worker are stopped
     * @return the directories that were put back
     * @throws BackupException when the backup is damaged or incomplete, something is in its place already, or a service
     *     runs
     */
    public static List<Path> run(Path backup, Path data, List<BackupPart> wanted) throws BackupException, IOException {
        return run(backup, data, wanted, PrivateFiles::sync);
    }

    static List<Path> run(Path backup, Path data, List<BackupPart> wanted, DirectorySync sync)
            throws BackupException, IOException {
        return new Restore(backup, data, Manifest.read(backup), sync).run(wanted);
    }

    private List<Path> run(List<BackupPart> wanted) throws BackupException, IOException {
        List<Path> parts = wanted.stream()
                .map(BackupPart::path)
                .filter(part -> manifest.files().keySet().stream()
                        .anyMatch(file -> Path.of(file).startsWith(part)))
                .toList();
        if (parts.isEmpty()) {
            throw new BackupException("expected files of " + wanted + " in the backup " + backup + ", but it has none");
        }
        List<DataDirectory> taken = new ArrayList<>();
        try {
            for (Path part : parts) {
                Path place = data.resolve(part);
                taken.add(DataDirectory.take(Objects.requireNonNull(place.getParent())));
                // The copy would take the place of the link, on another disk than the files were on.
                if (Files.isSymbolicLink(place)) {
                    throw new BackupException("expected no link at " + place
                            + ": move it aside, try again, then move what was put back to the disk it leads to");
                }
                if (CheckedCopy.isTaken(place)) {
                    throw new BackupException(
                            "expected nothing at " + place + ", but there are files: move them aside, then try again");
                }
            }
            copyAll(parts);
            return moveIntoPlace(parts);
        } catch (DirectoryInUseException e) {
            throw new BackupException("expected writer and worker to be stopped, but " + e.getMessage());
        } finally {
            taken.forEach(DataDirectory::close);
        }
    }

    private void copyAll(List<Path> parts) throws BackupException, IOException {
        try {
            for (Path part : parts) {
                PrivateFiles.removeDirectory(unfinished(part));
                for (Map.Entry<String, FileChecksum> file : manifest.files().entrySet()) {
                    if (Path.of(file.getKey()).startsWith(part)) {
                        Path inPart = part.relativize(Path.of(file.getKey()));
                        copy(file.getKey(), file.getValue(), unfinished(part).resolve(inPart));
                    }
                }
                sync.syncTree(unfinished(part));
            }
        } catch (BackupException | IOException | RuntimeException e) {
            for (Path part : parts) {
                PrivateFiles.removeDirectory(unfinished(part));
            }
            throw e;
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

    private List<Path> moveIntoPlace(List<Path> parts) throws IOException {
        List<Path> restored = new ArrayList<>();
        for (Path part : parts) {
            Path place = data.resolve(part);
            // Nothing but empty directories, as was looked before.
            PrivateFiles.removeDirectory(place);
            Files.move(unfinished(part), place, StandardCopyOption.ATOMIC_MOVE);
            sync.sync(Objects.requireNonNull(place.getParent()));
            restored.add(place);
        }
        return restored;
    }

    private Path unfinished(Path part) {
        return data.resolve(part).resolveSibling("." + part.getFileName() + ".unfinished");
    }
}
