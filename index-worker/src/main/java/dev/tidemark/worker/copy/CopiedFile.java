package dev.tidemark.worker.copy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * A file of a copy. The name is from another worker, and is one of a file in a directory, never a path.
 *
 * @param bytes its length
 * @param sha256 its checksum, in hexadecimal digits
 */
public record CopiedFile(String name, long bytes, String sha256) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");
    private static final Pattern SUM = Pattern.compile("[0-9a-f]{64}");

    public CopiedFile {
        if (!NAME.matcher(name).matches() || bytes < 0 || !SUM.matcher(sha256).matches()) {
            throw new IllegalArgumentException("expected a file with a name, a length and a SHA-256 sum, but got "
                    + name + " with " + bytes + " bytes and " + sha256);
        }
    }

    /** Reads a whole file for its sum. */
    static String sumOf(Path file) throws IOException {
        try (DigestInputStream in =
                new DigestInputStream(Files.newInputStream(file), MessageDigest.getInstance("SHA-256"))) {
            in.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(in.getMessageDigest().digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Expected SHA-256, which every Java has", e);
        }
    }
}
