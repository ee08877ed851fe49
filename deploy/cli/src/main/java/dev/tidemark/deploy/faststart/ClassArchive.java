package dev.tidemark.deploy.faststart;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Stream;

/**
 * Classes in the form that a virtual machine maps into its memory instead of reading and verifying them (class data
 * sharing, JEP 310 and 341).
 *
 * @param jar the first of the class path; the others are beside it
 * @param file the archive
 */
record ClassArchive(Path jar, Path file) {
    /** Whether the archive is younger than every jar. */
    boolean isFresh() throws IOException {
        if (!Files.exists(file)) {
            return false;
        }
        try (Stream<Path> jars = Files.list(jar.resolveSibling(""))) {
            long made = Files.getLastModifiedTime(file).toMillis();
            return jars.allMatch(each -> each.toFile().lastModified() < made);
        }
    }

    /**
     * Has a virtual machine write the archive.
     *
     * @param classes file that lists the classes; those that are not on the class path are passed over
     * @throws IOException when it wrote none; the archive that was there stays
     */
    void make(Path java, Path classes) throws IOException, InterruptedException {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        Path log = file.resolveSibling(file.getFileName() + ".log");
        Files.deleteIfExists(part);
        // Only this collector writes objects of the heap into an archive; every one can read them.
        ProcessBuilder dump = new ProcessBuilder(
                java.toString(),
                "-Xshare:dump",
                "-XX:+UseG1GC",
                "-Xmx256m",
                "-XX:SharedClassListFile=" + classes,
                "-XX:SharedArchiveFile=" + part,
                "-cp",
                jar.toString());
        if (!FastStart.succeeds(dump, log) || !Files.exists(part)) {
            throw new IOException("no class archive could be made of " + jar + "; see " + log);
        }
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
