package dev.tidemark.deploy.backup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.tidemark.runtime.PrivateFiles;

/**
 * The list of the files of a backup, which is written last: a backup without one was not finished.
 *
 * @param files by path below the backup, with {@code /} between its parts
 */
record Manifest(SortedMap<String, FileChecksum> files) {
    /** Name of the list in the backup. */
    static final String FILE = "manifest";

    private static final String FIRST_LINE = "tidemark backup, format 1: checksum, bytes, file";

    static Manifest empty() {
        return new Manifest(new TreeMap<>());
    }

    /** Writes the list; it is there whole or not at all, and its content is on disk when the call returns. */
    void write(Path backup) throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add(FIRST_LINE);
        for (Map.Entry<String, FileChecksum> file : files.entrySet()) {
            FileChecksum note = file.getValue();
            lines.add(Long.toHexString(note.checksum()) + " " + note.bytes() + " " + file.getKey());
        }
        Path unfinished = unfinished(backup);
        PrivateFiles.create(unfinished);
        Files.write(unfinished, lines, StandardOpenOption.WRITE, StandardOpenOption.SYNC);
        Files.move(unfinished, backup.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
    }

    /** Removes a list that was not written to its end, and one that was. */
    static void remove(Path backup) throws IOException {
        Files.deleteIfExists(unfinished(backup));
        Files.deleteIfExists(backup.resolve(FILE));
    }

    /**
     * Reads the list.
     *
     * @throws BackupException when there is none, or none that can be read
     */
    static Manifest read(Path backup) throws BackupException, IOException {
        Path file = backup.resolve(FILE);
        if (!Files.isRegularFile(file)) {
            throw new BackupException("expected a backup made by tidemark backup, but there is no file " + file
                    + ": it is none, or was not finished");
        }
        List<String> lines = Files.readAllLines(file);
        if (lines.isEmpty() || !lines.get(0).equals(FIRST_LINE)) {
            throw new BackupException("expected " + file + " to begin with: " + FIRST_LINE + ", but it begins with: "
                    + lines.stream().findFirst().orElse("nothing") + ". A newer version may have made the backup");
        }
        Manifest read = empty();
        for (String line : lines.subList(1, lines.size())) {
            String[] parts = line.split(" ", 3);
            try {
                read.files.put(
                        inside(parts[2], file),
                        new FileChecksum(Long.parseLong(parts[1]), Long.parseUnsignedLong(parts[0], 16)));
            } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
                throw new BackupException(
                        "expected checksum, bytes and file in each line of " + file + ", but got " + line);
            }
        }
        return read;
    }

    private static Path unfinished(Path backup) {
        return backup.resolve("." + FILE);
    }

    private static String inside(String path, Path file) throws BackupException {
        Path relative = Path.of(path);
        if (relative.isAbsolute() || !relative.normalize().equals(relative) || relative.startsWith("..")) {
            throw new BackupException("expected paths inside the backup in " + file + ", but got " + path);
        }
        return path;
    }
}
