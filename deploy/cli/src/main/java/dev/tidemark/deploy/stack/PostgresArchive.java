package dev.tidemark.deploy.stack;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;

/**
 * The programs of a PostgreSQL server that the build of a checkout lays there, so that none has to be installed. They
 * are for Linux on x86-64, and are unpacked when they are first needed.
 *
 * @param directory of the archive
 */
record PostgresArchive(Path directory) {
    private static final String ARCHIVE = "postgres-linux-x86_64.txz";

    /** The archive of an installation, which need not be there. */
    static PostgresArchive of(Installation installation) {
        return new PostgresArchive(installation.home().resolve("deploy/cli/target/postgresql"));
    }

    /**
     * The directory of the programs; empty where the build has laid none, or where this machine runs none of them.
     *
     * @throws StackException when they cannot be unpacked
     */
    Optional<Path> programs() throws StackException, InterruptedException {
        Path archive = directory.resolve(ARCHIVE);
        boolean fits = System.getProperty("os.name").equals("Linux")
                && System.getProperty("os.arch").equals("amd64");
        if (!fits || !Files.exists(archive)) {
            return Optional.empty();
        }
        Path unpacked = directory.resolve("unpacked");
        try {
            if (!Files.exists(unpacked)) {
                unpack(archive, unpacked);
            }
            return Optional.of(unpacked.resolve("bin"));
        } catch (IOException e) {
            throw new StackException("cannot unpack " + archive + ": " + e);
        }
    }

    /** Only what is complete has its name. */
    private void unpack(Path archive, Path to) throws IOException, StackException, InterruptedException {
        Path part = Files.createTempDirectory(directory, "part");
        Files.setPosixFilePermissions(part, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path log = directory.resolve("tar.log");
        int code = new ProcessBuilder(List.of("tar", "-xJf", archive.toString(), "-C", part.toString()))
                .redirectErrorStream(true)
                .redirectOutput(Redirect.to(log.toFile()))
                .start()
                .waitFor();
        if (code != 0) {
            throw new StackException("tar cannot unpack " + archive + ":\n" + LogTail.lastLines(log, 8));
        }
        Files.move(part, to);
    }
}
