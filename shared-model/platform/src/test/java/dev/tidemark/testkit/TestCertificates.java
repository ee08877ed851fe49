package dev.tidemark.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Certificates and keys that guard nothing: {@code server} and {@code renewed} for this machine and {@code client}, all
 * signed by {@code ca}; {@code stranger}, a client signed by {@code other-ca}.
 */
public final class TestCertificates {
    /** Of {@code server-encrypted.key}. */
    public static final String PASSWORD = "canary-key-password-8d1f";

    private TestCertificates() {}

    /** Puts one of the files into a directory, for its owner alone. */
    public static Path put(String name, Path directory) {
        return put(name, directory, name);
    }

    /** The same under another name, in place of what is there. */
    public static Path put(String name, Path directory, String as) {
        Path file = directory.resolve(as);
        try (InputStream in = TestCertificates.class.getResourceAsStream("/dev/tidemark/tls/" + name)) {
            if (in == null) {
                throw new IllegalArgumentException("Expected a test file " + name);
            }
            Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
