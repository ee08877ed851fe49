package dev.tidemark.deploy.faststart;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.tidemark.deploy.stack.StartImage;

/**
 * The file of a {@link StartImage} while it is made.
 *
 * @param jar the first of the class path; the others are beside it
 * @param file the archive or cache
 */
record ImageFile(Path jar, Path file) {
    private static final long PATIENCE_SECONDS = 300;

    /** Whether it is younger than every jar. */
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
     * Starts a virtual machine that writes a new archive of the classes that processes loaded; {@link #finish} puts it
     * into its place.
     *
     * @param lists of classes, as virtual machines write them
     */
    Process beginArchive(Path java, List<Path> lists, Path scratch) throws IOException {
        Set<String> classes = new LinkedHashSet<>();
        for (Path list : lists) {
            classes.addAll(Files.readAllLines(list));
        }
        Path list = Files.write(scratch.resolve(file.getFileName() + ".list"), classes);
        // Only this collector writes objects of the heap into an archive; every one can read them.
        return begin(
                java,
                "-Xshare:dump",
                "-XX:+UseG1GC",
                "-XX:SharedClassListFile=" + list,
                "-XX:SharedArchiveFile=" + part());
    }

    /**
     * Starts a virtual machine that writes a new cache; {@link #finish} puts it into its place.
     *
     * @param recorded what the virtual machine of one process recorded
     * @param flags of that process that a cache depends on
     */
    Process beginCache(Path java, Path recorded, List<String> flags) throws IOException {
        List<String> all = new ArrayList<>(flags);
        all.addAll(List.of("-XX:AOTMode=create", "-XX:AOTConfiguration=" + recorded, "-XX:AOTCache=" + part()));
        return begin(java, all.toArray(String[]::new));
    }

    private Process begin(Path java, String... flags) throws IOException {
        Files.createDirectories(file.resolveSibling(""));
        Files.deleteIfExists(part());
        List<String> command = new ArrayList<>(List.of(java.toString(), "-Xmx256m"));
        command.addAll(List.of(flags));
        command.addAll(List.of("-cp", jar.toString()));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log().toFile())
                .start();
    }

    /** @throws IOException when nothing came of it; the one that was there stays */
    void finish(Process dump) throws IOException, InterruptedException {
        boolean ended = dump.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (!ended) {
            dump.destroyForcibly();
        }
        if (!ended || dump.exitValue() != 0 || !Files.exists(part())) {
            throw new IOException("nothing to start from could be made of " + jar + "; see " + log());
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
