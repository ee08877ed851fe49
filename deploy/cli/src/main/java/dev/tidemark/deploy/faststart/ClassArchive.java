package dev.tidemark.deploy.faststart;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Classes in the form that a virtual machine maps into its memory instead of reading and verifying them (class data
 * sharing, JEP 310 and 341).
 *
 * @param jar the first of the class path; the others are beside it
 * @param file the archive
 */
record ClassArchive(Path jar, Path file) {
    private static final long PATIENCE_SECONDS = 300;

    /** Whether the archive is younger than every jar. */
    boolean isFresh() throws IOException {
        if (!Files.exists(file)) {
            return false;
        }
        try (Stream<Path> jars = Files.list(jar.resolveSibling(""))) {
            long made = Files.getLastModifiedTime(file).toMillis();
            return jars.filter(each -> each.toString().endsWith(".jar"))
                    .allMatch(each -> each.toFile().lastModified() < made);
        }
    }

    /**
     * Starts a virtual machine that writes those classes into a new archive; {@link #finish} puts it into its place.
     */
    Process begin(Path java, Collection<String> classes, Path scratch) throws IOException {
        Path list = Files.write(scratch.resolve(file.getFileName() + ".list"), classes);
        Files.createDirectories(file.resolveSibling(""));
        Files.deleteIfExists(part());
        // Only this collector writes objects of the heap into an archive; every one can read them.
        List<String> command = List.of(
                java.toString(),
                "-Xshare:dump",
                "-XX:+UseG1GC",
                "-Xmx256m",
                "-XX:SharedClassListFile=" + list,
                "-XX:SharedArchiveFile=" + part(),
                "-cp",
                jar.toString());
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log().toFile())
                .start();
    }

    /** @throws IOException when no archive came of it; the one that was there stays */
    void finish(Process dump) throws IOException, InterruptedException {
        boolean ended = dump.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (!ended) {
            dump.destroyForcibly();
        }
        if (!ended || dump.exitValue() != 0 || !Files.exists(part())) {
            throw new IOException("no class archive could be made of " + jar + "; see " + log());
        }
        Files.move(part(), file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private Path part() {
        return file.resolveSibling(file.getFileName() + ".part");
    }

    private Path log() {
        return file.resolveSibling(file.getFileName() + ".log");
    }
}
