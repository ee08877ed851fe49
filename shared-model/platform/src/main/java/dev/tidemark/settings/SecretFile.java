package dev.tidemark.settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

/**
 * Reads files that hold secrets. One that every user of the machine may read or change, or its group may change, is
 * refused: what is in it is no secret, or not ours. Messages name the file and never what is in it.
 */
public final class SecretFile {
    /** Largest file, in bytes. */
    public static final int MAX_BYTES = 1 << 20;

    private static final Set<PosixFilePermission> NOT_THESE =
            Set.of(PosixFilePermission.OTHERS_READ, PosixFilePermission.OTHERS_WRITE, PosixFilePermission.GROUP_WRITE);

    private SecretFile() {}

    /**
     * The whole file.
     *
     * @throws BadSettingsException when it cannot be read, is too large, or is open to others
     */
    public static byte[] read(Path file) throws BadSettingsException {
        try {
            if (isOpenToOthers(file)) {
                throw new BadSettingsException("expected " + file
                        + " to be for its owner alone, because it holds secrets, but others may use it; chmod 600 it");
            }
            return readAny(file);
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    /** The same for a file that holds no secret. */
    public static byte[] readPublic(Path file) throws BadSettingsException {
        try {
            return readAny(file);
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    private static byte[] readAny(Path file) throws IOException, BadSettingsException {
        if (Files.size(file) > MAX_BYTES) {
            throw new BadSettingsException("expected " + file + " to have at most " + MAX_BYTES + " bytes");
        }
        return Files.readAllBytes(file);
    }

    private static boolean isOpenToOthers(Path file) throws IOException {
        try {
            return Files.getPosixFilePermissions(file).stream().anyMatch(NOT_THESE::contains);
        } catch (UnsupportedOperationException e) {
            // The file system has no POSIX permissions, so they do not show who may read the file.
            return false;
        }
    }

    private static BadSettingsException unreadable(Path file, IOException e) {
        return new BadSettingsException("expected a readable file at " + file + ", but "
                + (e instanceof NoSuchFileException ? "there is none" : "reading failed: " + e));
    }
}
