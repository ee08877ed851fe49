package dev.tidemark.backup;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.runtime.DirectorySync;
import dev.tidemark.runtime.PrivateFiles;

/** Where a service makes copies of what it keeps. A name is all that a request says of the place. */
public final class Backups {
    private static final Logger LOGGER = LoggerFactory.getLogger(Backups.class);
    private static final String UNFINISHED = ".unfinished-";
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9_-]{0,62}");
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuuMMdd't'HHmmss").withZone(ZoneOffset.UTC);

    private final Path root;
    private final Supplier<Map<String, BackupSource>> sources;
    private final Supplier<Optional<BackupRefusal>> refusal;
    private final Clock clock;
    private final DirectorySync sync;
    private final ReentrantLock making = new ReentrantLock();
    private boolean rooted;

    /**
     * Copies below a directory, which is made when it is first needed.
     *
     * @param sources gives what there is to copy at the moment, by the path that it has in the copy
     * @param refusal why no copy can be made at the moment; empty when one can
     */
    public Backups(
            Path root,
            Supplier<Map<String, BackupSource>> sources,
            Supplier<Optional<BackupRefusal>> refusal,
            Clock clock) {
        this(root, sources, refusal, clock, PrivateFiles::sync);
    }

    Backups(
            Path root,
            Supplier<Map<String, BackupSource>> sources,
            Supplier<Optional<BackupRefusal>> refusal,
            Clock clock,
            DirectorySync sync) {
        this.root = root;
        this.sources = sources;
        this.refusal = refusal;
        this.clock = clock;
        this.sync = sync;
    }

    /**
     * Makes a copy, one at a time. A call that waited for another one would keep its thread and then make one more
     * copy, so clients that try again would take all threads.
     *
     * @param wanted its name; the time, where that is empty
     * @throws BadBackupNameException when the name is none
     * @throws BackupRefusedException when there is one of that name, another one is being made, or none can be made at
     *     the moment
     */
    public Backup make(Optional<String> wanted) throws BadBackupNameException, BackupRefusedException {
        String name = wanted.orElseGet(() -> TIME.format(clock.instant()));
        if (!NAME.matcher(name).matches()) {
            throw new BadBackupNameException(name);
        }
        if (!making.tryLock()) {
            throw new BackupRefusedException(BackupRefusal.forNow("a backup is being made"));
        }
        try {
            return make(name);
        } finally {
            making.unlock();
        }
    }

    private Backup make(String name) throws BackupRefusedException {
        Path path = root.resolve(name);
        if (Files.exists(path)) {
            throw new BackupRefusedException(
                    BackupRefusal.lasting("expected a name that no backup has, but there is one named " + name));
        }
        Optional<BackupRefusal> refused = refusal.get();
        if (refused.isPresent()) {
            throw new BackupRefusedException(refused.get());
        }
        Path unfinished = root.resolve(UNFINISHED + name);
        try {
            createRoot();
            removeUnfinished();
            copy(unfinished);
            Files.move(unfinished, path, StandardCopyOption.ATOMIC_MOVE);
            sync.sync(root);
            return new Backup(name, path, bytes(path));
        } catch (IOException e) {
            throw new UncheckedIOException("Expected to make a backup at " + path + ", but " + e, e);
        } finally {
            removeQuietly(unfinished);
        }
    }

    /** Syncs the parent once in each run of the process, because an earlier run may have ended before it did. */
    private void createRoot() throws IOException {
        PrivateFiles.createDirectories(root);
        if (!rooted) {
            sync.sync(Objects.requireNonNull(root.toAbsolutePath().getParent()));
            rooted = true;
        }
    }

    private void copy(Path to) throws IOException {
        PrivateFiles.createDirectories(to);
        for (Map.Entry<String, BackupSource> source : sources.get().entrySet()) {
            Path part = to.resolve(source.getKey());
            PrivateFiles.createDirectories(Objects.requireNonNull(part.getParent()));
            source.getValue().copyTo(part);
        }
        sync.syncTree(to);
    }

    /** What earlier runs of the process left behind when they ended in the middle of a copy. */
    private void removeUnfinished() throws IOException {
        try (Stream<Path> files = Files.list(root)) {
            for (Path file : files.filter(one -> one.getFileName().toString().startsWith(UNFINISHED))
                    .toList()) {
                PrivateFiles.removeDirectory(file);
            }
        }
    }

    private static void removeQuietly(Path unfinished) {
        try {
            PrivateFiles.removeDirectory(unfinished);
        } catch (IOException e) {
            LOGGER.warn("The unfinished copy at {} cannot be removed; the next backup tries again", unfinished, e);
        }
    }

    private static long bytes(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.mapToLong(
                            file -> Files.isRegularFile(file) ? file.toFile().length() : 0)
                    .sum();
        }
    }
}
